import type { Transaction } from 'firebase-admin/firestore'
import * as v from 'valibot'
import { isIdentityRequired } from '../../../domain/account/identityLimit.ts'
import { finiteNumber, type Output, ValidationError } from '../../../domain/common/schema.ts'
import {
  isVelocityCause,
  VELOCITY_CAUSES,
  type VelocityCause,
} from '../../../domain/payouts/deliveryOrder.ts'
import {
  addSentAmount,
  MONTHLY_CAP_EUR_CENTS,
  toEurCents,
  VELOCITY_PERIOD,
} from '../../../domain/prices/limits.ts'
import { fetchPersonKeys } from '../accounts/persons.ts'
import { readCapUses } from '../payments/capUses.ts'
import { checkIdentityLimit } from '../payments/identityLimit.ts'
import { createDocumentParser } from '../platform/documents.ts'
import type { RecordedTransfer } from '../platform/payouts.ts'
import { findContainingAny } from '../platform/queryValues.ts'
import { velocities } from '../platform/records.ts'
import { updateDelivery } from './deliver.ts'
import { deliveries, parseDeliveryOrder } from './orderRecords.ts'
import type { PayoutContext } from './payoutContext.ts'

const velocitySchema = v.object({
  sent: v.array(v.object({ at: finiteNumber, cents: finiteNumber })),
  /** UTC ms. */
  endsAt: finiteNumber,
})

type Velocity = Output<typeof velocitySchema>
const parse = createDocumentParser(velocitySchema)

/** Runs in the transaction that records the transfer. `causes`: why it must be held. */
export async function prepareVelocityCount(
  { db, now }: PayoutContext,
  tx: Transaction,
  { attempt: { uid, persons = [uid], transfer }, card, recipient }: RecordedTransfer,
): Promise<{ readonly causes: readonly VelocityCause[]; readonly count: () => void }> {
  const names: readonly (readonly [VelocityCause, string])[] = [
    ...persons.map((name) => ['velocityOfPerson', name] as const),
    ...card.map((name) => ['velocityOfCard', name] as const),
    ['velocityOfRecipient', recipient],
  ]
  const stored = await tx.getAll(...names.map(([, name]) => velocities(db).doc(name)))
  const next = { at: now(), cents: toEurCents(transfer.gross) }
  const after = stored.map((document) => addSentAmount(parse(document)?.sent ?? [], next))
  const causes = names.flatMap(([cause], i) => (after[i]?.isTooMuch ? cause : []))
  return {
    causes: [...new Set(causes)],
    count: () =>
      after.forEach(({ sent }, i) => {
        const ref = stored[i]?.ref
        if (ref) tx.set(ref, { sent: [...sent], endsAt: next.at + VELOCITY_PERIOD } satisfies Velocity)
      }),
  }
}

/**
 * The card is unknown before the transfer is recorded, and a refusal because of the recipient would tell how
 * much others send, so the payout is held instead. @throws Firestore's error; nothing may be recorded then.
 */
export async function prepareMonthCount(
  context: PayoutContext,
  tx: Transaction,
  { attempt: { uid, month, capCents }, card, recipient }: RecordedTransfer,
): Promise<{ readonly causes: readonly VelocityCause[]; readonly count: () => void }> {
  const ofCard = await readCapUses(context, tx, { uid, month, persons: card })
  const ofRecipient = await readCapUses(context, tx, { uid, month, persons: [recipient] })
  const cardCents = ofCard.usedCents + capCents
  const recipientCents = ofRecipient.usedCents + capCents
  const causes: VelocityCause[] = []
  if (cardCents > MONTHLY_CAP_EUR_CENTS) causes.push('capOfCard')
  const monthCents = Math.max(cardCents, recipientCents)
  if (!(await isIdentityProven(context, tx, { uid, monthCents, at: context.now() }))) {
    if (isIdentityRequired(cardCents, context.identityLimitCents)) causes.push('identityOfCard')
    if (isIdentityRequired(recipientCents, context.identityLimitCents)) causes.push('identityOfRecipient')
  }
  return {
    causes,
    count() {
      ofCard.spend(capCents)
      ofRecipient.spend(capCents)
    },
  }
}

async function isIdentityProven(...args: Parameters<typeof checkIdentityLimit>): Promise<boolean> {
  try {
    return (await checkIdentityLimit(...args)).ok
  } catch (error) {
    // A document that can't be read proves nothing, and the charge must be recorded.
    if (error instanceof ValidationError) return false
    throw error
  }
}

export async function findVelocityHolds(
  context: PayoutContext,
  uid: string,
): Promise<readonly { readonly id: string; readonly causes: readonly VelocityCause[] }[]> {
  const held = deliveries(context.db).where('state', '==', 'held')
  const theirs = await findContainingAny(held, 'persons', await fetchPersonKeys(context, uid))
  return theirs.flatMap((document) => {
    const causes = parseDeliveryOrder(document)?.holds.filter(isVelocityCause) ?? []
    return causes.length > 0 ? [{ id: document.id, causes }] : []
  })
}

/** Other causes keep holding the orders. @throws a service's error; calling again is safe. */
export async function releaseVelocityHolds(
  context: PayoutContext,
  uid: string,
  lifted: readonly VelocityCause[] = VELOCITY_CAUSES,
): Promise<readonly string[]> {
  const released: string[] = []
  for (const { id, causes } of await findVelocityHolds(context, uid))
    for (const cause of causes.filter((one) => lifted.includes(one))) {
      await updateDelivery(context, id, () => ({ type: 'order.release', cause }))
      released.push(id)
    }
  return [...new Set(released)]
}
