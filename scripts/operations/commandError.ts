/** The message is for the operator. */
export class CommandError extends Error {}
