/**
 * Pays a transfer: the checkout with the rules of the transfer form. Specification, sections 4, 5, 7 and 8.
 */

import type { Subscription } from '../domain/account/profileSchema.ts'
import type { RefusalProblem } from '../domain/errors/refusals.ts'
import type { RecipientFacts } from '../domain/people/recipientName.ts'
import type { MonthLedger } from '../domain/prices/capUse.ts'
import type { WalletTariffs } from '../domain/prices/walletTariffsSchema.ts'
import {
  getTransferContext,
  isSamePrice,
  type PriceFacts,
  releaseTransferSlot,
} from '../domain/transfers/pricing.ts'
import { findDuplicate, type RecentTransfer } from '../domain/transfers/recentTransfers.ts'
import type { TransferDraft } from '../domain/transfers/shapes/draftSchema.ts'
import type { CheckedTransfer } from '../domain/transfers/shapes/orderSchema.ts'
import type { Transaction } from '../domain/transfers/transaction.ts'
import {
  changeCountry,
  changeTransferDraft,
  checkTransfer,
  EMPTY_TRANSFER_DRAFT,
  isEmptyTransferDraft,
  isSameTransfer,
  isSameTransferDraft,
  type TransferProblem,
} from '../domain/transfers/transfer.ts'
import type { WalletLimitProblem } from '../domain/transfers/walletTariffs.ts'
import { createAttemptOverCheck, createCheckoutMachine } from './checkout.ts'
import type { CheckoutParts, CheckoutProblem, CheckoutRules, PartsRefusal } from './checkoutTypes.ts'

export interface TransferPayer extends PriceFacts {
  readonly uid: string
  /** Missing until the device has read them. */
  readonly recipient?: RecipientFacts
  readonly walletTariffs?: WalletTariffs
}

/** Refusals that the user reads as they are. */
export const TRANSFER_REFUSALS = [
  'monthlyCapExceeded',
  'identityRequired',
  'capUnavailable',
  'walletMissing',
] as const

export type TransferRefusal =
  | RefusalProblem<(typeof TRANSFER_REFUSALS)[number]>
  /** `message`: the server's sentence. */
  | { readonly kind: 'capReached'; readonly message: string }
  /** `at` in UTC ms; the ledger excludes this attempt. */
  | {
      readonly kind: 'quoteChanged'
      readonly facts: {
        readonly at: number
        readonly subscription: Subscription
        readonly ledger: MonthLedger
      }
    }
  /** The form has another attempt, which is open or was charged. */
  | { readonly kind: 'formSentAlready'; readonly draftId: string }
  /** A duplicate from any device, sent recently or possibly still paid. */
  | { readonly kind: 'sentAlready'; readonly duplicate: RecentTransfer }
  | { readonly kind: 'couponEnded'; readonly coupon: string }
  | WalletLimitProblem

export interface TransferParts extends CheckoutParts {
  readonly payer: TransferPayer
  readonly draft: TransferDraft
  readonly order: CheckedTransfer
  readonly problem: TransferProblem
  readonly refusal: TransferRefusal
  readonly receipt: Transaction
  readonly duplicate: RecentTransfer
}

export type TransferCheckoutProblem = CheckoutProblem<TransferParts>

export const isTransferAttemptOver = createAttemptOverCheck<TransferParts>([
  'monthlyCapExceeded',
  'identityRequired',
  'capReached',
  'quoteChanged',
  'formSentAlready',
  'sentAlready',
  'couponEnded',
  'walletLimitExceeded',
  'walletMissing',
])

const rules: CheckoutRules<TransferParts> = {
  id: 'transfer',
  emptyDraft: EMPTY_TRANSFER_DRAFT,
  isEmpty: isEmptyTransferDraft,
  change: changeTransferDraft,
  // After a change of country or currency, the problems of other fields may no longer apply.
  filterProblems: (problems, patch) =>
    'country' in patch || 'currency' in patch ? [] : problems.filter(({ field }) => !(field in patch)),
  restore: (draft) => ({ ...draft, phoneConfirmed: false }),
  createEmptyDraft: ({ currency, country }) => changeCountry({ ...EMPTY_TRANSFER_DRAFT, currency }, country),
  check: (draft, payer, now, own) => checkTransfer(draft, getTransferContext(payer, own, now)),
  isSameForm: isSameTransferDraft,
  isSameOrder: (one, other) => isSameTransfer(one, other) && isSamePrice(one, other),
  duplicates: {
    find: findDuplicate,
    getRefused: (refusal) => (refusal.kind === 'sentAlready' ? refusal.duplicate : null),
    getSentDraftId: (refusal) => (refusal.kind === 'formSentAlready' ? refusal.draftId : null),
  },
  prices: { isSame: isSamePrice, applyRefusal, releaseReservation: releaseTransferSlot },
  isAttemptOver: isTransferAttemptOver,
}

function applyRefusal(payer: TransferPayer, refusal: PartsRefusal<TransferParts>) {
  if (refusal.kind === 'couponEnded') return { profile: { ...payer, endedCoupon: refusal.coupon }, at: null }
  if (refusal.kind !== 'quoteChanged') return null
  const { at, subscription, ledger } = refusal.facts
  return { profile: { ...payer, subscription, ledger }, at }
}

export const transferMachine = createCheckoutMachine(rules)
