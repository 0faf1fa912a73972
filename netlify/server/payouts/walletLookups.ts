import * as v from 'valibot'
import { DAY } from '../../../domain/common/duration.ts'
import { finiteNumber } from '../../../domain/common/schema.ts'
import { buildPersonKeys, getRecipientKey } from '../accounts/persons.ts'
import type { Caller } from '../platform/caller.ts'
import type { Context } from '../platform/context.ts'
import { createDocumentParser } from '../platform/documents.ts'
import { rateLimits } from '../platform/rateLimits.ts'

/** Enough for a family and some mistyped numbers, too few to list strangers. */
const NUMBERS_A_DAY = 10
const ASKERS_A_DAY = 10

/** `marks`: hashes of numbers or accounts, valid only for one UTC day and key. */
const parseCounted = createDocumentParser(v.object({ marks: v.array(v.string()), endsAt: finiteNumber }))

/**
 * Counts a lookup under each of the person's keys and under the number's; a repeated one counts once. Runs
 * before the provider is asked, so concurrent lookups are counted one after the other. `count`: numbers of
 * today.
 * @throws Firestore's error; without the count nothing may be revealed.
 */
export async function countLookup(
  context: Pick<Context, 'db' | 'now' | 'pseudonym'>,
  caller: Caller,
  phone: string,
): Promise<{ readonly isAllowed: boolean; readonly count: number }> {
  const { db, now, pseudonym } = context
  const counters = [
    ...buildPersonKeys(context, caller).map((name) => ({ name, asked: phone, most: NUMBERS_A_DAY })),
    { name: getRecipientKey(context, phone), asked: caller.uid, most: ASKERS_A_DAY },
  ]
  return db.runTransaction(async (tx) => {
    const day = Math.floor(now() / DAY)
    const nameOfDay = (name: string) => `walletHolder:${day}:${name}`
    const refs = counters.map(({ name }) => rateLimits(db).doc(pseudonym(nameOfDay(name))))
    const stored = await tx.getAll(...refs)
    const counted = counters.map(({ name, asked }, i) => {
      const before = parseCounted(stored[i])?.marks ?? []
      const mark = pseudonym(`${nameOfDay(name)}:${asked}`)
      return before.includes(mark) ? before : [...before, mark]
    })
    const isAllowed = counters.every(({ most }, i) => (counted[i]?.length ?? 0) <= most)
    if (isAllowed)
      for (const [i, ref] of refs.entries()) tx.set(ref, { marks: counted[i], endsAt: (day + 1) * DAY })
    return { isAllowed, count: Math.max(...counted.slice(0, -1).map(({ length }) => length)) }
  })
}
