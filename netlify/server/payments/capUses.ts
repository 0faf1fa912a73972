import type { Transaction } from 'firebase-admin/firestore'
import { HOUR } from '../../../domain/duration.ts'
import { monthRange } from '../../../domain/month.ts'
import type { Context } from '../platform/context.ts'
import { type CapUse, parseCapUse, type TransferAttempt } from '../platform/documents.ts'
import { capUses } from '../platform/records.ts'

/** How long after its month a use of the cap is kept, in milliseconds: a payment that was begun in it may still be open. */
export const CAP_USE_KEPT = 6 * HOUR

/** What an attempt counts in, beside the ledger of its account: one use for each name of the person. */
type Counted = Pick<TransferAttempt, 'uid' | 'month' | 'persons'>

/** What a person's names use of a month's cap, as a database transaction has read it. */
export interface CapUses {
  /** The most that any of them holds, in EUR cents. */
  readonly usedCents: number
  reserve(cents: number): void
  giveBack(cents: number): void
  /** What was reserved is spent. */
  record(cents: number): void
  /** What was spent is free again. */
  takeBack(cents: number): void
}

/** Reads all at once, because a database transaction reads before it writes. */
export async function readCapUses(
  { db }: Pick<Context, 'db'>,
  tx: Transaction,
  { uid, month, persons = [] }: Counted,
): Promise<CapUses> {
  // The account itself has its ledger.
  const refs = persons
    .filter((person) => person !== uid)
    .map((person) => capUses(db).doc(`${person}_${month}`))
  const stored = refs.length > 0 ? await tx.getAll(...refs) : []
  const uses = stored.map(parseCapUse)
  const endsAt = monthRange(month).end
  const change = (changed: (use: CapUse) => CapUse, isBegun: boolean) => {
    stored.forEach(({ ref, exists }, i) => {
      const use = uses[i] ?? { recordedCents: 0, reservedCents: 0, endsAt }
      // The sweep deletes uses of past months: only a reservation begins one.
      if (exists || isBegun) tx.set(ref, changed(use))
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
    takeBack: (cents) =>
      change((use) => ({ ...use, recordedCents: Math.max(0, use.recordedCents - cents) }), false),
  }
}
