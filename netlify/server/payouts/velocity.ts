import type { Transaction } from 'firebase-admin/firestore'
import { isIdentityRequired } from '../../../domain/account/identityLimit.ts'
import { ValidationError } from '../../../domain/common/schema.ts'
import {
  IDENTITY_CAUSES,
  isVelocityCause,
  VELOCITY_CAUSES,
  type VelocityCause,
} from '../../../domain/payouts/deliveryOrder.ts'
import { MONTHLY_CAP_EUR_CENTS, toEurCents } from '../../../domain/prices/limits.ts'
import { fetchPersonKeys } from '../accounts/persons.ts'
import { checkIdentityLimit } from '../payments/identityLimit.ts'
import type { Chore } from '../platform/chores.ts'
import { type DueDocument, iterateDuePages } from '../platform/duePages.ts'
import type { RecordedTransfer } from '../platform/payouts.ts'
import { findContainingAny } from '../platform/queryValues.ts'
import { updateDelivery } from './deliver.ts'
import { deliveries, parseDeliveryOrder } from './orderRecords.ts'
import type { PayoutContext } from './payoutContext.ts'

/**
 * Counts a transfer for its day and its month, and returns why it must be held. Runs in the transaction that
 * records it. The card is unknown before, and a refusal because of the recipient would tell how much others
 * send, so the payout is held instead. @throws Firestore's error; nothing may be recorded then.
 */
export async function countRecordedTransfer(
  context: PayoutContext,
  tx: Transaction,
  { attempt: { uid, persons, transfer, capCents }, card, recipient, uses }: RecordedTransfer,
): Promise<readonly VelocityCause[]> {
  await uses.read([...persons, ...card, recipient])
  const next = { at: context.now(), cents: toEurCents(transfer.gross) }
  const causes = (
    [
      ['velocityOfPerson', persons],
      ['velocityOfCard', card],
      ['velocityOfRecipient', [recipient]],
    ] as const
  ).flatMap(([cause, keys]) => (keys.filter((key) => uses.addSent(key, next)).length > 0 ? cause : []))
  uses.spend([...card, recipient], capCents)
  const cardCents = uses.getUsedCents(card)
  const recipientCents = uses.getUsedCents([recipient])
  const monthCents = Math.max(cardCents, recipientCents)
  const isProven = await isIdentityProven(context, tx, { uid, monthCents, at: next.at })
  const needsIdentity = (cents: number) => !isProven && isIdentityRequired(cents, context.identityLimitCents)
  return [
    ...causes,
    ...(cardCents > MONTHLY_CAP_EUR_CENTS ? (['capOfCard'] as const) : []),
    ...(needsIdentity(cardCents) ? (['identityOfCard'] as const) : []),
    ...(needsIdentity(recipientCents) ? (['identityOfRecipient'] as const) : []),
  ]
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

interface VelocityHold {
  readonly id: string
  /** False for an order of the person's other account. */
  readonly isOwn: boolean
  readonly causes: readonly VelocityCause[]
}

export async function findVelocityHolds(
  context: PayoutContext,
  uid: string,
): Promise<readonly VelocityHold[]> {
  const held = deliveries(context.db).where('state', '==', 'held')
  const theirs = await findContainingAny(held, 'persons', await fetchPersonKeys(context, uid))
  return theirs.flatMap((document) => {
    const order = parseDeliveryOrder(document)
    const causes = order?.holds.filter(isVelocityCause) ?? []
    return causes.length > 0 ? [{ id: document.id, isOwn: order?.uid === uid, causes }] : []
  })
}

interface ReleasedHolds {
  readonly lifted?: readonly VelocityCause[]
  readonly onlyOwn?: boolean
}

/** Other causes keep holding the orders. @throws a service's error; calling again is safe. */
export async function releaseVelocityHolds(
  context: PayoutContext,
  uid: string,
  { lifted = VELOCITY_CAUSES, onlyOwn = false }: ReleasedHolds = {},
): Promise<readonly string[]> {
  const released: string[] = []
  const holds = await findVelocityHolds(context, uid)
  for (const { id, causes } of holds.filter(({ isOwn }) => isOwn || !onlyOwn))
    if (causes.some((cause) => lifted.includes(cause))) {
      await releaseHolds(context, id, lifted)
      released.push(id)
    }
  return released
}

const releaseHolds = (context: PayoutContext, id: string, lifted: readonly VelocityCause[]) =>
  updateDelivery(context, id, ({ holds }) =>
    lifted.filter((cause) => holds.includes(cause)).map((cause) => ({ type: 'order.release', cause })),
  )

/** Releases the orders of senders whose document was approved, also by another program. */
export function createIdentityHoldsChore(context: PayoutContext): Chore<DueDocument> {
  const { db, now, identityLimitCents } = context
  return {
    name: 'identityHolds',
    provider: 'google',
    async *due() {
      if (identityLimitCents === null) return
      yield* iterateDuePages(deliveries(db).where('holds', 'array-contains-any', IDENTITY_CAUSES))
    },
    async handle({ id, account: uid }) {
      const anyUse = { uid, monthCents: Number.POSITIVE_INFINITY, at: now() }
      const check = (tx: Transaction) => isIdentityProven(context, tx, anyUse)
      if (!(await db.runTransaction(check, { readOnly: true }))) return null
      await releaseHolds(context, id, IDENTITY_CAUSES)
      return 'identityReleased'
    },
  }
}
