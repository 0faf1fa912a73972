/** Thrown when a command is refused. The message is for the operator. */
export class CommandError extends Error {}
