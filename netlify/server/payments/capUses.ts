import type { Transaction } from 'firebase-admin/firestore'
import { HOUR } from '../../../domain/common/duration.ts'
import { getMonthRange } from '../../../domain/common/month.ts'
import { addSentAmount, VELOCITY_PERIOD } from '../../../domain/prices/limits.ts'
import type { Context } from '../platform/context.ts'
import { type MonthUse, type PartyCapUse, parseCapUse, type TransferAttempt } from '../platform/documents.ts'
import type { CountedUses } from '../platform/payouts.ts'
import { capUses } from '../platform/records.ts'

/** A payment begun in the month may still be open. */
export const CAP_USE_RETENTION = 6 * HOUR

/** The account's own use of a month is its ledger. */
export const listCapKeys = ({ uid, persons }: Pick<TransferAttempt, 'uid' | 'persons'>): readonly string[] =>
  persons.filter((person) => person !== uid)

export interface CapUses extends CountedUses {
  reserve(keys: readonly string[], cents: number): void
  giveBack(keys: readonly string[], cents: number): void
  record(keys: readonly string[], cents: number): void
  takeBack(keys: readonly string[], cents: number): void
  /** Writes what has changed, each document once. */
  store(): void
}

export async function readCapUses(
  { db, now }: Pick<Context, 'db' | 'now'>,
  tx: Transaction,
  month: string,
  keys: readonly string[],
): Promise<CapUses> {
  const uses = new Map<string, PartyCapUse | undefined>()
  const changed = new Set<string>()
  const put = (key: string, change: Partial<Pick<PartyCapUse, 'months' | 'sent'>>) => {
    uses.set(key, { months: {}, sent: [], endsAt: 0, ...uses.get(key), ...change })
    changed.add(key)
  }
  /** The due-work job deletes uses of past months, so only a new amount may create one. */
  const change = (
    some: readonly string[],
    next: (use: MonthUse) => MonthUse,
    { isNew = false }: { readonly isNew?: boolean } = {},
  ) => {
    for (const key of some) {
      const months = uses.get(key)?.months ?? {}
      const use = months[month]
      if (use || isNew)
        put(key, { months: { ...months, [month]: next(use ?? { recordedCents: 0, reservedCents: 0 }) } })
    }
  }
  const add = (field: keyof MonthUse, cents: number) => (use: MonthUse) => ({
    ...use,
    [field]: Math.max(0, use[field] + cents),
  })
  const read = async (some: readonly string[]) => {
    const refs = some.filter((key) => !uses.has(key)).map((key) => capUses(db).doc(key))
    if (refs.length === 0) return
    for (const document of await tx.getAll(...refs)) uses.set(document.id, parseCapUse(document))
  }
  await read(keys)
  return {
    read,
    getUsedCents: (some) =>
      Math.max(
        0,
        ...some.map((key) => {
          const use = uses.get(key)?.months[month]
          return use ? use.recordedCents + use.reservedCents : 0
        }),
      ),
    reserve: (some, cents) => change(some, add('reservedCents', cents), { isNew: true }),
    giveBack: (some, cents) => change(some, add('reservedCents', -cents)),
    record: (some, cents) =>
      change(some, (use) => add('recordedCents', cents)(add('reservedCents', -cents)(use))),
    spend: (some, cents) => change(some, add('recordedCents', cents), { isNew: true }),
    takeBack: (some, cents) => change(some, add('recordedCents', -cents)),
    addSent(key, next) {
      const { sent, isTooMuch } = addSentAmount(uses.get(key)?.sent ?? [], next)
      put(key, { sent: [...sent] })
      return isTooMuch
    },
    store() {
      for (const key of changed) {
        const { months = {}, sent = [] } = uses.get(key) ?? {}
        const isCounted = ([of]: readonly [string, MonthUse]) =>
          getMonthRange(of).end + CAP_USE_RETENTION > now()
        const counted = Object.fromEntries(Object.entries(months).filter(isCounted))
        const ends = Object.keys(counted).map((of) => getMonthRange(of).end)
        const endsAt = Math.max(0, ...ends, ...sent.map(({ at }) => at + VELOCITY_PERIOD))
        tx.set(capUses(db).doc(key), { months: counted, sent, endsAt } satisfies PartyCapUse)
      }
    },
  }
}
