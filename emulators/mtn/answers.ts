import type { Context } from 'hono'
import type { ContentfulStatusCode } from 'hono/utils/http-status'

/** The codes of MTN's common errors, with the status and the words that come with each. Many a wrong request is a 500 there. */
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

export type ErrorCode = keyof typeof ERRORS

export const refuse = (c: Context, code: ErrorCode) => {
  const [status, message] = ERRORS[code]
  return c.json({ message, code }, status)
}

/** A request that does not follow the specification. What MTN writes into such an answer it documents nowhere. */
export const badRequest = (c: Context) => c.body(null, 400)

/** What the gateway in front of MTN's service says, in a shape of its own. */
export const gateway = (c: Context, message: string) => c.json({ statusCode: 401, message }, 401)

/** What the sign-in says. */
export const unauthorised = (c: Context, error: 'login_failed' | 'invalid_token') => c.json({ error }, 401)
