import { createHmac, timingSafeEqual } from 'node:crypto'
import { DAY } from '../../../../domain/duration.ts'
import type { Context } from '../../platform/context.ts'

/** Days for which a link answers: long enough to look into what went wrong, and no standing window into somebody's money. */
export const LINK_DAYS = 90

/** What a link says: which transfer it opens, that its time is over, or nothing that we have signed. */
export type RecipientLink =
  | { readonly kind: 'open'; readonly id: string; readonly endsAt: number }
  | { readonly kind: 'ended' }
  | { readonly kind: 'forged' }

/**
 * Builds the signed path of the recipient's page. It ends (UTC seconds) `LINK_DAYS` after the transfer was reserved (UTC ms), so that
 * each attempt to record the transfer builds the same path.
 */
export function buildRecipientLink(
  context: Pick<Context, 'pseudonym' | 'deployment'>,
  id: string,
  reservedAt: number,
): string {
  const signed = `${id}.${Math.floor(reservedAt / 1000 + (LINK_DAYS * DAY) / 1000).toString(36)}`
  return `/t/${signed}.${signatureOf(context, signed)}`
}

/** Reads such a path at `now` (UTC ms). It asks nobody, and takes as long for every path of this form. */
export function readRecipientLink(
  context: Pick<Context, 'pseudonym' | 'deployment' | 'now'>,
  path: string,
): RecipientLink {
  const [, signed = '', id = '', end = '', signature = ''] =
    /^\/t\/((pi_\w{1,250})\.([\da-z]{1,9}))\.([\w-]{22})$/.exec(path) ?? []
  // The text, and not the bytes that it stands for: one byte can be written in several ways.
  const isOurs = isSame(signature, signatureOf(context, signed))
  if (!isOurs) return { kind: 'forged' }
  const endsAt = parseInt(end, 36) * 1000
  return context.now() < endsAt ? { kind: 'open', id, endsAt } : { kind: 'ended' }
}

function isSame(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)]
  return a.length === b.length && timingSafeEqual(a, b)
}

/** Half of the HMAC, which is what nobody can guess, in a link that stays short. Two deployments with one key don't open each other's. */
function signatureOf({ pseudonym, deployment }: Pick<Context, 'pseudonym' | 'deployment'>, signed: string) {
  const key = pseudonym('recipientLink')
  return createHmac('sha256', key)
    .update(`${deployment}:${signed}`)
    .digest()
    .subarray(0, 16)
    .toString('base64url')
}
