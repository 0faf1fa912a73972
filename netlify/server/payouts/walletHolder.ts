import * as v from 'valibot'
import type { FunctionRequest, WalletHolderAnswer } from '../../../domain/api/api.ts'
import { DAY } from '../../../domain/common/duration.ts'
import { ok, type Result } from '../../../domain/common/result.ts'
import { finiteNumber } from '../../../domain/common/schema.ts'
import { findDestination } from '../../../domain/numbers/destinations.ts'
import { formatHolderName } from '../../../domain/numbers/holderName.ts'
import { checkRecipientPhone } from '../../../domain/numbers/phone.ts'
import { checkWallet } from '../../../domain/numbers/wallets.ts'
import { checkPaymentsAllowed } from '../payments/restrictions.ts'
import type { Caller } from '../platform/caller.ts'
import { withTimeout } from '../platform/context.ts'
import { createDocumentParser } from '../platform/documents.ts'
import { buildPersonKeys } from '../platform/persons.ts'
import { rateLimits } from '../platform/rateLimits.ts'
import { users } from '../platform/records.ts'
import type { FunctionRefusal } from '../platform/refusals.ts'
import type { PayoutContext } from './payoutContext.ts'

/**
 * How many numbers a person may look up a day: enough for a family and some mistyped numbers, too few to list
 * strangers.
 */
const NUMBERS_A_DAY = 10

const SILENT: WalletHolderAnswer = { kind: 'silent' }

/**
 * Tells a sender who holds a number's wallet before they pay: first name and initial, or that the number has
 * no wallet. Answers `silent` if the operator has not enabled the lookup, the provider can't tell, or the
 * daily limit is reached. Stores no name; the log has only the count.
 *
 * @throws Firestore's error; without the count nothing is revealed.
 */
export async function lookUpWalletHolder(
  context: PayoutContext,
  caller: Caller,
  { phone, receivingMethod }: FunctionRequest<'wallet-holder'>,
): Promise<Result<WalletHolderAnswer, FunctionRefusal<'wallet-holder'>>> {
  const checked = checkRecipientPhone(phone)
  const destination = checked.ok ? findDestination(checked.value) : null
  const wallet = destination && checkWallet(receivingMethod, destination.code)
  if (!context.namesHolders || !checked.ok || !wallet?.ok) return ok(SILENT)
  const ask = context.providers.find(({ pays }) => pays(wallet.value))?.api?.holder
  if (!ask) return ok(SILENT)
  if (!(await withTimeout(context, canPay(context, caller)))) return ok(SILENT)
  const count = await withTimeout(context, countNumber(context, caller, checked.value))
  context.log({ level: 'info', event: 'walletHolderRequested', count })
  if (count > NUMBERS_A_DAY) return ok(SILENT)
  const answer = await ask(checked.value)
  if (answer.kind !== 'held') return ok({ kind: answer.kind })
  const name = formatHolderName(answer.holder)
  return ok(name === null ? SILENT : { kind: 'named', name })
}

/** Whether the caller can send at all: not if disabled, without a profile, or with paused payments. */
async function canPay(context: PayoutContext, caller: Caller): Promise<boolean> {
  const account = await context.accounts.find(caller.uid)
  if (!account || account.isDisabled) return false
  return context.db.runTransaction(async (tx) => {
    const profile = await tx.get(users(context.db).doc(caller.uid))
    return profile.exists && (await checkPaymentsAllowed(context, tx, caller)).ok
  })
}

/**
 * Parses the numbers looked up under one of a person's keys on one UTC day: hashes that are valid only for
 * that day and key.
 */
const parseAsked = createDocumentParser(v.object({ numbers: v.array(v.string()), endsAt: finiteNumber }))

/**
 * Counts a number under each of the person's keys, and returns how many it is today. A repeated number counts
 * once; a number beyond the limit is not stored. The transaction runs before the provider is asked, so
 * concurrent lookups are counted one after the other.
 */
async function countNumber(
  { db, now, pseudonym }: Pick<PayoutContext, 'db' | 'now' | 'pseudonym'>,
  caller: Caller,
  phone: string,
): Promise<number> {
  const names = buildPersonKeys({ pseudonym }, caller)
  return db.runTransaction(async (tx) => {
    const day = Math.floor(now() / DAY)
    const endsAt = (day + 1) * DAY
    const nameOfDay = (name: string) => `walletHolder:${day}:${name}`
    const refs = names.map((name) => rateLimits(db).doc(pseudonym(nameOfDay(name))))
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
