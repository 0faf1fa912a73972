import { CHECK_PHONE_USER } from '../../../domain/api/account.ts'
import { MINUTE } from '../../../domain/duration.ts'
import { checkPhone } from '../../../domain/phone.ts'
import { err, ok, type Result } from '../../../domain/result.ts'
import { type Context, withTimeout } from '../platform/context.ts'
import { readBody, reply } from '../platform/endpoint.ts'
import { networkTurns } from '../platform/networks.ts'
import { type Limit, takeTurn } from '../platform/rateLimits.ts'
import { users } from '../platform/records.ts'
import { type RefusalBy, refused, tooManyRequests } from '../platform/refusals.ts'

const TEN_MINUTES = 10 * MINUTE

/** Enough for somebody who mistypes or starts again; a person asks for their own number only. */
const PER_PHONE: Limit = { name: 'checkPhoneUser/phone', most: 5, windowMs: TEN_MINUTES }

/**
 * A mobile network puts thousands of customers behind one IPv4 address, or gives each a /64 of one IPv6 /48: rarely do more
 * than this many sign in by phone within ten minutes. Somebody who has such an address or a whole /48 alone would still
 * take more than a month for a million numbers.
 */
const PER_NETWORK: Limit = { name: 'checkPhoneUser/network', most: 200, windowMs: TEN_MINUTES }

/** A household or a phone has an IPv6 /64 for itself, and whoever has one has all its addresses. */
const PER_SUBNET: Limit = { name: 'checkPhoneUser/subnet', most: 20, windowMs: TEN_MINUTES }

/**
 * Tells the sign-in screen whether a phone number has an account: 200 or 404, and nothing else. An account without a profile is
 * none: its owner would be signed out again, and need a second code to sign up. Anybody may ask, so
 * the answers are limited by number and by address. Both answers take the same work. Specification, section 7.
 *
 * @param ip where the call comes from, as the host says; never from a header that the caller can write.
 * @throws when the limits or the accounts can't be read in time: then nobody is told anything.
 */
export async function checkPhoneUser(
  context: Context,
  request: Request,
  ip: string,
): Promise<Result<Response, RefusalBy<'check-phone-user'>>> {
  const body = await readBody(request, CHECK_PHONE_USER.request)
  if (!body.ok) return body
  const phone = checkPhone(body.value.phone)
  if (!phone.ok) return err(refused(phone.error))
  return withTimeout(context, answerFor(context, phone.value, ip))
}

async function answerFor(
  context: Context,
  phone: string,
  ip: string,
): Promise<Result<Response, RefusalBy<'check-phone-user'>>> {
  const turn = await takeTurn(context, [
    { limit: PER_PHONE, of: phone },
    ...networkTurns(ip, { network: PER_NETWORK, subnet: PER_SUBNET }),
  ])
  if (!turn.ok) return err(tooManyRequests(turn.error.waitMs))
  const uid = await context.accounts.ofPhone(phone)
  const profile = await users(context.db)
    .doc(uid ?? NOBODY)
    .get()
  return ok(reply(profile.exists ? 200 : 404, {}))
}

/** No account has such an id. It is looked for, so that both answers take the same work. */
const NOBODY = 'nobody at all'
