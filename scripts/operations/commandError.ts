/** A command that was not run. The message is for the operator. */
export class CommandError extends Error {}
