import type { Context } from 'hono'
import { buildGoogleError } from '../emulator.ts'

const ERRORS = {
  INVALID_ARGUMENT: [400, 'Request contains an invalid argument.'],
  UNAUTHENTICATED: [401, 'Request had invalid authentication credentials.'],
  PERMISSION_DENIED: [403, 'The principal lacks IAM permission.'],
  NOT_FOUND: [
    404,
    'Queue does not exist. If you just created the queue, wait at least a minute for the queue to initialize.',
  ],
  ALREADY_EXISTS: [409, 'Requested entity already exists'],
  UNIMPLEMENTED: [501, 'The emulator does not implement this method.'],
} as const

export function respondWithTasksError(c: Context, status: keyof typeof ERRORS) {
  const [code, message] = ERRORS[status]
  return c.json(buildGoogleError(code, status, message), code)
}
