/**
 * A transfer: the checkout with the rules of the transfer form. Specification, sections 4, 5, 7 and 8.
 */
import type { MonthLedger } from '../domain/capUse.ts'
import { freed, isSamePrice, type PriceFacts, pricingOf } from '../domain/pricing.ts'
import { findDuplicate, type RecentTransfer } from '../domain/recentTransfers.ts'
import type { Subscription } from '../domain/schemas/profile.ts'
import type { Transaction } from '../domain/transaction.ts'
import {
  type CheckedTransfer,
  changeDraft,
  checkTransfer,
  EMPTY_DRAFT,
  isEmptyDraft,
  isSameForm,
  isSameTransfer,
  type TransferDraft,
  type TransferProblem,
  withCountry,
} from '../domain/transfer.ts'
import { createCheckout, endsAttempt } from './checkout.ts'
import type { Attempt, CheckoutParts, CheckoutProblem, CheckoutRules, RefusalOf } from './checkoutTypes.ts'

export interface Payer extends PriceFacts {
  readonly uid: string
}

/** What the server may refuse of a transfer only. */
export type TransferRefusal =
  | { readonly kind: 'monthlyCapExceeded'; readonly leftCents: number; readonly resetsAt: number }
  /** The same, told in a sentence of the server's. */
  | { readonly kind: 'capReached'; readonly message: string }
  | { readonly kind: 'capUnavailable' }
  /** With what the server knows at `at` (UTC ms) of the plan and of the month, this attempt left out. */
  | {
      readonly kind: 'quoteChanged'
      readonly facts: {
        readonly at: number
        readonly subscription: Subscription
        readonly ledger: MonthLedger
      }
    }
  /** The same was sent lately, or may still be paid, from whichever device. */
  | { readonly kind: 'sentAlready'; readonly duplicate: RecentTransfer }
  | { readonly kind: 'couponEnded'; readonly coupon: string }

/** What a transfer is made of. */
export interface TransferParts extends CheckoutParts {
  readonly payer: Payer
  readonly draft: TransferDraft
  readonly order: CheckedTransfer
  readonly problem: TransferProblem
  readonly refusal: TransferRefusal
  readonly receipt: Transaction
  readonly duplicate: RecentTransfer
}

export type TransferCheckoutProblem = CheckoutProblem<TransferParts>
export type TransferAttempt = Attempt<TransferParts>

/** Whether a refusal says that nothing can come of this attempt any more. */
export const isAttemptOver = endsAttempt<TransferParts>([
  'monthlyCapExceeded',
  'capReached',
  'quoteChanged',
  'sentAlready',
  'couponEnded',
])

const rules: CheckoutRules<TransferParts> = {
  id: 'transfer',
  emptyDraft: EMPTY_DRAFT,
  isEmpty: isEmptyDraft,
  change: changeDraft,
  // What was wrong with the other fields may have been so only for the former country or currency.
  stillWrong: (problems, patch) =>
    'country' in patch || 'currency' in patch ? [] : problems.filter(({ field }) => !(field in patch)),
  restore: (draft) => ({ ...draft, phoneConfirmed: false }),
  emptyLike: ({ currency, country }) => withCountry({ ...EMPTY_DRAFT, currency }, country),
  check: (draft, payer, now, own) => checkTransfer(draft, pricingOf(payer, own, now)),
  isSameForm,
  isSameOrder: (one, other) => isSameTransfer(one, other) && isSamePrice(one, other),
  duplicates: {
    find: findDuplicate,
    refused: (refusal) => (refusal.kind === 'sentAlready' ? refusal.duplicate : null),
  },
  prices: { isSame: isSamePrice, learn, free: freed },
  isAttemptOver,
}

function learn(payer: Payer, refusal: RefusalOf<TransferParts>) {
  if (refusal.kind === 'couponEnded') return { profile: { ...payer, endedCoupon: refusal.coupon }, at: null }
  if (refusal.kind !== 'quoteChanged') return null
  const { at, subscription, ledger } = refusal.facts
  return { profile: { ...payer, subscription, ledger }, at }
}

export const transferMachine = createCheckout(rules)
