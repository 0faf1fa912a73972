import type { FunctionRequest, WalletHolderAnswer } from '../../../domain/api/api.ts'
import { ok, type Result } from '../../../domain/common/result.ts'
import { findDestination } from '../../../domain/numbers/destinations.ts'
import { formatHolderName } from '../../../domain/numbers/holderName.ts'
import { checkRecipientPhone } from '../../../domain/numbers/phone.ts'
import { checkWallet } from '../../../domain/numbers/wallets.ts'
import { checkPaymentsAllowed } from '../payments/restrictions.ts'
import type { Caller } from '../platform/caller.ts'
import { withTimeout } from '../platform/context.ts'
import { users } from '../platform/records.ts'
import type { FunctionRefusal } from '../platform/refusals.ts'
import type { PayoutContext } from './payoutContext.ts'
import { countLookup } from './walletLookups.ts'

const SILENT: WalletHolderAnswer = { kind: 'silent' }

/**
 * Tells a sender the first name and initial of a wallet's holder, or that the number has no wallet. Stores no
 * name; the log has only the count. @throws Firestore's error; without the count nothing is revealed.
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
  const { isAllowed, count } = await withTimeout(context, countLookup(context, caller, checked.value))
  context.log({ level: 'info', event: 'walletHolderRequested', count })
  if (!isAllowed) return ok(SILENT)
  const answer = await ask(checked.value)
  if (answer.kind !== 'held') return ok({ kind: answer.kind })
  const name = formatHolderName(answer.holder)
  return ok(name === null ? SILENT : { kind: 'named', name })
}

async function canPay(context: PayoutContext, caller: Caller): Promise<boolean> {
  const account = await context.accounts.find(caller.uid)
  if (!account || account.isDisabled) return false
  return context.db.runTransaction(async (tx) => {
    const profile = await tx.get(users(context.db).doc(caller.uid))
    return profile.exists && (await checkPaymentsAllowed(context, tx, caller)).ok
  })
}
