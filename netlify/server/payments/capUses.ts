import type { Transaction } from 'firebase-admin/firestore'
import { HOUR } from '../../../domain/common/duration.ts'
import { getMonthRange } from '../../../domain/common/month.ts'
import type { Context } from '../platform/context.ts'
import { type CapUse, parseCapUse, type TransferAttempt } from '../platform/documents.ts'
import { capUses } from '../platform/records.ts'

/**
 * How long a use of the cap is kept after its month, in milliseconds: a payment begun in that month may still
 * be open.
 */
export const CAP_USE_RETENTION = 6 * HOUR

/** Identifies the cap uses of an attempt, besides its account's ledger: one for each key. */
type Counted = Pick<TransferAttempt, 'uid' | 'month' | 'persons'>

/** Uses of a month's cap under the keys of a person, a card or a recipient, as read in a transaction. */
export interface CapUses {
  /** The highest use under any of the keys, in EUR cents. */
  readonly usedCents: number
  reserve(cents: number): void
  /** Frees a reserved amount. */
  giveBack(cents: number): void
  /** Turns a reserved amount into a spent one. */
  record(cents: number): void
  /** Adds a spent amount that was not reserved. */
  spend(cents: number): void
  /** Frees an amount that was spent. */
  takeBack(cents: number): void
}

/**
 * Reads the uses of a month's cap under these keys. All reads come first, because a Firestore
 * transaction must read before it writes.
 */
export async function readCapUses(
  { db }: Pick<Context, 'db'>,
  tx: Transaction,
  { uid, month, persons }: Counted,
): Promise<CapUses> {
  // The account's own use is its ledger.
  const refs = persons
    .filter((person) => person !== uid)
    .map((person) => capUses(db).doc(`${person}_${month}`))
  const stored = refs.length > 0 ? await tx.getAll(...refs) : []
  const uses = stored.map(parseCapUse)
  const endsAt = getMonthRange(month).end
  const change = (changed: (use: CapUse) => CapUse, isNew: boolean) => {
    stored.forEach(({ ref, exists }, i) => {
      const use = uses[i] ?? { recordedCents: 0, reservedCents: 0, endsAt }
      // The due-work job deletes uses of past months, so only a new amount may create one.
      if (exists || isNew) tx.set(ref, changed(use))
    })
  }
  const freed = (use: CapUse, cents: number) => ({
    ...use,
    reservedCents: Math.max(0, use.reservedCents - cents),
  })
  return {
    usedCents: Math.max(0, ...uses.map((use) => (use ? use.recordedCents + use.reservedCents : 0))),
    reserve: (cents) => change((use) => ({ ...use, reservedCents: use.reservedCents + cents }), true),
    giveBack: (cents) => change((use) => freed(use, cents), false),
    record: (cents) =>
      change((use) => ({ ...freed(use, cents), recordedCents: use.recordedCents + cents }), false),
    spend: (cents) => change((use) => ({ ...use, recordedCents: use.recordedCents + cents }), true),
    takeBack: (cents) =>
      change((use) => ({ ...use, recordedCents: Math.max(0, use.recordedCents - cents) }), false),
  }
}
