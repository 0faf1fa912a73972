import { buildGoogleError } from '../emulator.ts'

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

export type StatusName = keyof typeof HTTP_CODES

export class StatusError extends Error {
  readonly status: StatusName

  constructor(status: StatusName, message: string) {
    super(message)
    this.status = status
  }

  get httpCode() {
    return HTTP_CODES[this.status]
  }

  /** `status` is a name: the server SDK does not understand a number here. */
  get body() {
    return buildGoogleError(this.httpCode, this.status, this.message)
  }
}

export const createInvalidArgumentError = (message: string) => new StatusError('INVALID_ARGUMENT', message)

/** For a feature that the emulator lacks. The HTTP layer must report it. */
export const createUnimplementedError = (what: string) => new StatusError('UNIMPLEMENTED', what)
