import { sign } from 'node:crypto'
import { DAY } from '../../../../domain/common/duration.ts'
import type { DeliveryOrder } from '../../../../domain/payouts/deliveryOrder.ts'
import { deriveReceiptFacts } from '../../../../domain/payouts/receiptFacts.ts'
import {
  buildReceiptPath,
  encodeReceiptFacts,
  type ReceiptFacts,
  verifyReceiptCode,
} from '../../../../domain/transfers/receiptCode.ts'
import type { Context } from '../../platform/context.ts'

/** Long enough to investigate a problem, without exposing the transfer for ever. */
export const RECIPIENT_LINK_DAYS = 90

/** `endsAt`: UTC ms. */
export type RecipientLink =
  | { readonly kind: 'open'; readonly facts: ReceiptFacts; readonly endsAt: number }
  | { readonly kind: 'ended'; readonly facts: ReceiptFacts }
  | { readonly kind: 'forged' }

/** The same facts give the same path. Null without keys. */
export function buildRecipientLink(
  { receipts, deployment }: Pick<Context, 'receipts' | 'deployment'>,
  id: string,
  order: DeliveryOrder,
): string | null {
  const key = receipts?.keys.at(-1)
  const signed = key ? encodeReceiptFacts(deriveReceiptFacts(id, order, deployment), key) : null
  return receipts && signed && buildReceiptPath(signed, sign(null, signed, receipts.signingKey))
}

export async function verifyRecipientLink(
  { receipts, deployment, now }: Pick<Context, 'receipts' | 'deployment' | 'now'>,
  path: string,
): Promise<RecipientLink> {
  const verified = await verifyReceiptCode(path, { deployment, keys: receipts?.keys ?? [] })
  if (!verified.ok) return { kind: 'forged' }
  const facts = verified.value
  const endsAt = facts.at + RECIPIENT_LINK_DAYS * DAY
  return now() < endsAt ? { kind: 'open', facts, endsAt } : { kind: 'ended', facts }
}
