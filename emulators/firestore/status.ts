const HTTP_CODES = {
  INVALID_ARGUMENT: 400,
  FAILED_PRECONDITION: 400,
  UNAUTHENTICATED: 401,
  PERMISSION_DENIED: 403,
  NOT_FOUND: 404,
  ABORTED: 409,
  ALREADY_EXISTS: 409,
  UNIMPLEMENTED: 501,
} as const

export type Status = keyof typeof HTTP_CODES

/** A refusal that ends the call, wherever in it the reason is found; it becomes the answer's error. */
export class StatusError extends Error {
  readonly status: Status

  constructor(status: Status, message: string) {
    super(message)
    this.status = status
  }

  get httpCode() {
    return HTTP_CODES[this.status]
  }

  /** Google's error shape. The status goes by its name: the server SDK understands no number here. */
  get body() {
    return { error: { code: this.httpCode, message: this.message, status: this.status } }
  }
}

export const invalidArgument = (message: string) => new StatusError('INVALID_ARGUMENT', message)

/** Something that the real service has and this one does not; whoever answers has to report it. */
export const unimplemented = (what: string) => new StatusError('UNIMPLEMENTED', what)
