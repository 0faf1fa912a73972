import { CHECK_PHONE_USER } from '../../../domain/api/account.ts'
import { MINUTE } from '../../../domain/common/duration.ts'
import { err, ok, type Result } from '../../../domain/common/result.ts'
import { checkPhone } from '../../../domain/numbers/phone.ts'
import { type Context, withTimeout } from '../platform/context.ts'
import { listNetworkKeys } from '../platform/networks.ts'
import { consumeRateLimits, type RateLimit } from '../platform/rateLimits.ts'
import { users } from '../platform/records.ts'
import { buildTooManyRequestsRefusal, type FunctionRefusal, toRefusal } from '../platform/refusals.ts'
import { createJsonResponse, readBody } from './endpoint.ts'

const TEN_MINUTES = 10 * MINUTE

/** Counted per number and network, so that a stranger elsewhere can't use up the owner's checks. */
const PER_PHONE_AND_NETWORK: RateLimit = { name: 'checkPhoneUser/phone', most: 5, windowMs: TEN_MINUTES }

/** A mobile network puts thousands of customers behind one IPv4 address or IPv6 /48. */
const PER_NETWORK: RateLimit = { name: 'checkPhoneUser/network', most: 200, windowMs: TEN_MINUTES }

/** A household or a phone has its own IPv6 /64. */
const PER_SUBNET: RateLimit = { name: 'checkPhoneUser/subnet', most: 20, windowMs: TEN_MINUTES }

/**
 * An account without a profile counts as missing, because its owner would need a second code to sign up.
 * Specification, section 7.
 * @param ip as the host reports it; never from a header that the caller can set.
 * @throws when the limits or the accounts can't be read in time; nothing is revealed then.
 */
export async function checkPhoneUser(
  context: Context,
  request: Request,
  ip: string,
): Promise<Result<Response, FunctionRefusal<'check-phone-user'>>> {
  const body = await readBody(request, CHECK_PHONE_USER.request)
  if (!body.ok) return body
  const phone = checkPhone(body.value.phone)
  if (!phone.ok) return err(toRefusal(phone.error))
  return withTimeout(context, answerFor(context, phone.value, ip))
}

async function answerFor(
  context: Context,
  phone: string,
  ip: string,
): Promise<Result<Response, FunctionRefusal<'check-phone-user'>>> {
  const networks = listNetworkKeys(ip, { network: PER_NETWORK, subnet: PER_SUBNET })
  const turn = await consumeRateLimits(context, [
    { limit: PER_PHONE_AND_NETWORK, of: `${phone} ${networks[0].of}` },
    ...networks,
  ])
  if (!turn.ok) return err(buildTooManyRequestsRefusal(turn.error.waitMs))
  const uid = await context.accounts.findByPhone(phone)
  const profile = await users(context.db)
    .doc(uid ?? NOBODY)
    .get()
  return ok(createJsonResponse(profile.exists ? 200 : 404, {}))
}

/** Looked up so that both answers take the same work. */
const NOBODY = 'no-such-user'
