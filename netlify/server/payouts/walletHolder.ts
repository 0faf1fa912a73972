import type { HolderAnswer, RequestOf } from '../../../domain/api.ts'
import { destinationOf } from '../../../domain/destinations.ts'
import { DAY } from '../../../domain/duration.ts'
import { holderName } from '../../../domain/holderName.ts'
import { checkRecipientPhone } from '../../../domain/phone.ts'
import { ok, type Result } from '../../../domain/result.ts'
import { array, number, object, string } from '../../../domain/schema.ts'
import { checkWallet } from '../../../domain/wallets.ts'
import type { Caller } from '../platform/caller.ts'
import { withTimeout } from '../platform/context.ts'
import { documentParser } from '../platform/documents.ts'
import { personKeys } from '../platform/persons.ts'
import { limits } from '../platform/rateLimits.ts'
import type { RefusalBy } from '../platform/refusals.ts'
import type { PayoutContext } from './payoutContext.ts'

/** Enough for a family and its mistakes, and no directory of strangers. */
const NUMBERS_A_DAY = 10

const SILENT: HolderAnswer = { kind: 'silent' }

/**
 * Whose wallet a number is, before somebody pays to it: the holder's first name and an initial, or that there is none. Only where an operator wants
 * that and whoever pays to the wallet can tell; anything else is `silent`, a number beyond the day's too. Nothing of it is kept, and the log has
 * only the count.
 *
 * @throws Firestore's error; without the count nobody is told anything.
 */
export async function walletHolder(
  context: PayoutContext,
  caller: Caller,
  { phone, receivingMethod }: RequestOf<'wallet-holder'>,
): Promise<Result<HolderAnswer, RefusalBy<'wallet-holder'>>> {
  const checked = checkRecipientPhone(phone)
  const destination = checked.ok ? destinationOf(checked.value) : null
  const wallet = destination && checkWallet(receivingMethod, destination.code)
  if (!context.namesHolders || !checked.ok || !wallet?.ok) return ok(SILENT)
  const ask = context.providers.find(({ pays }) => pays(wallet.value))?.api?.holder
  if (!ask) return ok(SILENT)
  const count = await withTimeout(context, takeNumber(context, caller, checked.value))
  context.log({ level: 'info', event: 'holderAsked', count })
  if (count > NUMBERS_A_DAY) return ok(SILENT)
  const told = await ask(checked.value)
  if (told.kind !== 'held') return ok({ kind: told.kind })
  const name = holderName(told.holder)
  return ok(name === null ? SILENT : { kind: 'named', name })
}

/** What is stored for one of a person's names and one UTC day: keyed hashes that hold of this day and this name alone. */
const parseAsked = documentParser(object({ numbers: array(string), endsAt: number }))

/**
 * Counts a number for the person, under each of their names, and answers how many it is today; the same number is counted once, and one too many
 * is not. One database transaction, before the provider is asked: questions at the same moment are counted one after the other.
 */
async function takeNumber(
  { db, now, pseudonym }: Pick<PayoutContext, 'db' | 'now' | 'pseudonym'>,
  caller: Caller,
  phone: string,
): Promise<number> {
  const names = personKeys({ pseudonym }, caller)
  return db.runTransaction(async (tx) => {
    const day = Math.floor(now() / DAY)
    const endsAt = (day + 1) * DAY
    const nameOfDay = (name: string) => `walletHolder:${day}:${name}`
    const refs = names.map((name) => limits(db).doc(pseudonym(nameOfDay(name))))
    const stored = await tx.getAll(...refs)
    const counted = names.map((name, index) => ({
      before: parseAsked(stored[index])?.numbers ?? [],
      mark: pseudonym(`${nameOfDay(name)}:${phone}`),
    }))
    const after = counted.map(({ before, mark }) => (before.includes(mark) ? before : [...before, mark]))
    const most = Math.max(...after.map(({ length }) => length))
    if (most > NUMBERS_A_DAY) return most
    refs.forEach((ref, index) => {
      if (after[index] !== counted[index]?.before) tx.set(ref, { numbers: after[index], endsAt })
    })
    return most
  })
}
