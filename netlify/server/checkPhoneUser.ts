import { isIPv6 } from 'node:net'
import { z } from 'zod'
import { checkPhone } from '../../src/domain/phone.ts'
import { err, ok, type Result } from '../../src/domain/result.ts'
import { type Context, inTime } from './context.ts'
import { readBody, reply } from './endpoint.ts'
import { type Problem, refused, tooManyRequests } from './problems.ts'
import { type Limit, takeTurn } from './rateLimits.ts'

const TEN_MINUTES = 10 * 60_000

/** Enough for somebody who mistypes or starts again; a person asks for their own number only. */
const PER_PHONE: Limit = { name: 'checkPhoneUser/phone', most: 5, windowMs: TEN_MINUTES }

/**
 * Mobile networks put many customers behind one address, so it takes more than one person's share; still, trying
 * out a million numbers from one address would take a year.
 */
const PER_ADDRESS: Limit = { name: 'checkPhoneUser/address', most: 20, windowMs: TEN_MINUTES }

const phoneRequest = z.strictObject({ phone: z.string().max(40) })

/**
 * Tells the sign-in screen whether a phone number has an account: 200 or 404, and nothing else. Anybody may ask, so
 * the answers are limited by number and by address. Both answers take the same work. Specification, section 7.
 *
 * @param ip where the call comes from, as the host says; never from a header that the caller can write.
 * @throws when the limits or the accounts can't be read in time: then nobody is told anything.
 */
export async function checkPhoneUser(
  context: Context,
  request: Request,
  ip: string,
): Promise<Result<Response, Problem>> {
  const body = await readBody(request, phoneRequest)
  if (!body.ok) return body
  const phone = checkPhone(body.value.phone)
  if (!phone.ok) return err(refused(phone.error))
  return inTime(context, answerFor(context, phone.value, networkOf(ip)))
}

async function answerFor(
  context: Context,
  phone: string,
  network: string,
): Promise<Result<Response, Problem>> {
  const turn = await takeTurn(context, [
    { limit: PER_PHONE, of: phone },
    { limit: PER_ADDRESS, of: network },
  ])
  if (!turn.ok) return err(tooManyRequests(turn.error.waitMs))
  return ok(reply((await context.accounts.hasPhone(phone)) ? 200 : 404, {}))
}

/**
 * What counts as one address: an IPv4 address, or the first half of an IPv6 address, because whoever has one has all
 * that begin alike. Callers without an address count as one.
 */
export function networkOf(ip: string): string {
  const [, ipv4] = /^::ffff:([\d.]+)$/i.exec(ip) ?? []
  if (ipv4) return ipv4
  const [address = ''] = ip.split('%')
  if (!isIPv6(address)) return ip
  // An address has one form only as the host of a URL.
  const [start, end] = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::')
  const groupsOf = (part = '') => part.split(':').filter((group) => group !== '')
  const before = groupsOf(start)
  const after = groupsOf(end)
  const groups = [...before, ...Array<string>(8 - before.length - after.length).fill('0'), ...after]
  return groups.slice(0, 4).join(':')
}
