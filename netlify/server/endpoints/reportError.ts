import { REPORT_ERROR } from '../../../domain/api/errors.ts'
import { DAY, MINUTE } from '../../../domain/common/duration.ts'
import { err, ok, type Result } from '../../../domain/common/result.ts'
import { isEngineSupported } from '../../../domain/errors/engines.ts'
import { type Context, withTimeout } from '../platform/context.ts'
import { listNetworkKeys } from '../platform/networks.ts'
import { consumeRateLimits, type RateLimit } from '../platform/rateLimits.ts'
import { buildTooManyRequestsRefusal, type FunctionRefusal } from '../platform/refusals.ts'
import { readBody } from './endpoint.ts'
import { type AppError, countError, MAX_DAILY_ERRORS } from './errorCounts.ts'

const MAX_BODY_BYTES = 2 * 1024

const TEN_MINUTES = 10 * MINUTE
/** A mobile network puts many users behind one IP address; each page reports an error once. */
const PER_NETWORK: RateLimit = { name: 'reportError/network', most: 60, windowMs: TEN_MINUTES }
const PER_SUBNET: RateLimit = { name: 'reportError/subnet', most: 20, windowMs: TEN_MINUTES }
/** One network can't use up the others' part of `MAX_DAILY_ERRORS`. */
export const NEW_ERRORS: RateLimit = { name: 'reportError/new', most: MAX_DAILY_ERRORS / 10, windowMs: DAY }

/** @throws when the limits or the counts can't be read in time; the app ignores that. */
export async function reportError(
  context: Context,
  request: Request,
  ip: string,
): Promise<Result<object, FunctionRefusal<'report-error'>>> {
  const body = await readBody(request, REPORT_ERROR.request, MAX_BODY_BYTES)
  if (!body.ok) return body
  const engine = parseBrowserEngine(request.headers.get('user-agent') ?? '')
  return withTimeout(context, count(context, { ...body.value, engine }, ip))
}

async function count(
  context: Context,
  error: AppError,
  ip: string,
): Promise<Result<object, FunctionRefusal<'report-error'>>> {
  const turn = await consumeRateLimits(
    context,
    listNetworkKeys(ip, { network: PER_NETWORK, subnet: PER_SUBNET }),
  )
  if (!turn.ok) return err(buildTooManyRequestsRefusal(turn.error.waitMs))
  const networks = listNetworkKeys(ip, { network: NEW_ERRORS, subnet: NEW_ERRORS })
  const total = await countError(context, error, networks)
  context.log(
    isEngineSupported(error.engine)
      ? { level: 'error', event: 'appError', ...error, count: total }
      : { level: 'info', event: 'browserUnsupported', ...error, count: total },
  )
  return ok({})
}

const ENGINES = { Firefox: 'firefox', Chrome: 'chrome', Version: 'safari', OS: 'safari' } as const

/** An app installed on an iPhone names only the system in its user agent. */
export function parseBrowserEngine(userAgent: string): string {
  const [, name, version] =
    /(Firefox|Chrome|Version)\/(\d{1,3})/.exec(userAgent) ?? /(OS) (\d{1,3})_/.exec(userAgent) ?? []
  return name ? `${ENGINES[name as keyof typeof ENGINES]}/${version}` : 'other'
}
