import type { Context } from 'hono'
import type { ContentfulStatusCode } from 'hono/utils/http-status'

/** MTN answers many invalid requests with 500. */
const ERRORS = {
  RESOURCE_NOT_FOUND: [404, 'Requested resource was not found.'],
  RESOURCE_ALREADY_EXIST: [409, 'Duplicated reference id. Creation of resource failed.'],
  NOT_ALLOWED: [500, 'Authorization failed. Insufficient permissions.'],
  NOT_ALLOWED_TARGET_ENVIRONMENT: [500, 'Access to target environment is forbidden.'],
  INVALID_CALLBACK_URL_HOST: [500, 'Callback URL does not match the configured value.'],
  INVALID_CURRENCY: [500, 'Currency not supported.'],
  INTERNAL_PROCESSING_ERROR: [500, 'An internal error occurred while processing.'],
  SERVICE_UNAVAILABLE: [503, 'Service temporarily unavailable, try again later.'],
} as const satisfies Readonly<Record<string, readonly [status: ContentfulStatusCode, message: string]>>

export type MtnErrorCode = keyof typeof ERRORS

export const respondWithMtnError = (c: Context, code: MtnErrorCode) => {
  const [status, message] = ERRORS[code]
  return c.json({ message, code }, status)
}

/** MTN doesn't document this body. */
export const respondWithBadRequest = (c: Context) => c.body(null, 400)

/** The gateway in front of MTN's service has its own error format. */
export const respondWithGatewayError = (c: Context, message: string) =>
  c.json({ statusCode: 401, message }, 401)

export const respondWithUnauthorized = (c: Context, error: 'login_failed' | 'invalid_token') =>
  c.json({ error }, 401)
