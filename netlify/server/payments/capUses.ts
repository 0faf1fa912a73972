import type { Transaction } from 'firebase-admin/firestore'
import { HOUR } from '../../../domain/common/duration.ts'
import { getMonthRange } from '../../../domain/common/month.ts'
import type { Context } from '../platform/context.ts'
import { type PartyCapUse, parseCapUse, type TransferAttempt } from '../platform/documents.ts'
import { capUses } from '../platform/records.ts'

/** A payment begun in the month may still be open. */
export const CAP_USE_RETENTION = 6 * HOUR

type Counted = Pick<TransferAttempt, 'uid' | 'month' | 'persons'>

export interface CapUses {
  /** The highest use under any of the keys, in EUR cents. */
  readonly usedCents: number
  reserve(cents: number): void
  giveBack(cents: number): void
  record(cents: number): void
  spend(cents: number): void
  takeBack(cents: number): void
}

/** All reads come first, because a Firestore transaction must read before it writes. */
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
  const change = (changed: (use: PartyCapUse) => PartyCapUse, isNew: boolean) => {
    stored.forEach(({ ref, exists }, i) => {
      const use = uses[i] ?? { recordedCents: 0, reservedCents: 0, endsAt }
      // The due-work job deletes uses of past months, so only a new amount may create one.
      if (exists || isNew) tx.set(ref, changed(use))
    })
  }
  const freed = (use: PartyCapUse, cents: number) => ({
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
