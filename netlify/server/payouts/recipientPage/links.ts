import { createHmac } from 'node:crypto'
import { DAY } from '../../../../domain/common/duration.ts'
import type { Context } from '../../platform/context.ts'
import { isSameSecret } from '../../platform/isSameSecret.ts'

/** Long enough to investigate a problem, without exposing the transfer for ever. */
export const RECIPIENT_LINK_DAYS = 90

export type RecipientLink =
  | { readonly kind: 'open'; readonly id: string; readonly endsAt: number }
  | { readonly kind: 'ended' }
  | { readonly kind: 'forged' }

/** `reservedAt`: UTC ms; each attempt to record the transfer builds the same path from it. */
export function buildRecipientLink(
  context: Pick<Context, 'pseudonym' | 'deployment'>,
  id: string,
  reservedAt: number,
): string {
  const signed = `${id}.${Math.floor(reservedAt / 1000 + (RECIPIENT_LINK_DAYS * DAY) / 1000).toString(36)}`
  return `/t/${signed}.${signRecipientLink(context, signed)}`
}

/** Takes the same time for every path of this form. */
export function verifyRecipientLink(
  context: Pick<Context, 'pseudonym' | 'deployment' | 'now'>,
  path: string,
): RecipientLink {
  const [, signed = '', id = '', end = '', signature = ''] =
    /^\/t\/((pi_\w{1,250})\.([\da-z]{1,9}))\.([\w-]{22})$/.exec(path) ?? []
  // Compare the text, because different texts can decode to the same bytes.
  const isOurs = isSameSecret(signature, signRecipientLink(context, signed))
  if (!isOurs) return { kind: 'forged' }
  const endsAt = parseInt(end, 36) * 1000
  return context.now() < endsAt ? { kind: 'open', id, endsAt } : { kind: 'ended' }
}

/** Deployments that share a key don't accept each other's links. 128 bits can't be guessed. */
function signRecipientLink(
  { pseudonym, deployment }: Pick<Context, 'pseudonym' | 'deployment'>,
  signed: string,
) {
  const key = pseudonym('recipientLink')
  return createHmac('sha256', key)
    .update(`${deployment}:${signed}`)
    .digest()
    .subarray(0, 16)
    .toString('base64url')
}
