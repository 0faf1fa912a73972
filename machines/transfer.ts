/**
 * A transfer: the checkout with the rules of the transfer form. Specification, sections 4, 5, 7 and 8.
 */
import type { Subscription } from '../src/domain/plans.ts'
import { type SentLately, twinOf } from '../src/domain/sentLately.ts'
import type { Transaction } from '../src/domain/transaction.ts'
import {
  type CheckedTransfer,
  checkTransfer,
  EMPTY_DRAFT,
  isEmptyDraft,
  isSameForm,
  type TransferDraft,
  type TransferProblem,
  withCountry,
} from '../src/domain/transfer.ts'
import {
  type Attempt,
  type CheckoutProblem,
  type CheckoutRules,
  type CommonRefusal,
  createCheckout,
  isCommonlyOver,
} from './checkout.ts'

export interface Payer {
  readonly uid: string
  readonly subscription: Subscription
}

/** What the server may refuse of a transfer only. */
export type TransferRefusal =
  | { readonly kind: 'monthlyCapExceeded'; readonly leftCents: number; readonly resetsAt: number }
  | { readonly kind: 'capUnavailable' }
  | { readonly kind: 'quoteChanged' }

export type ReserveProblem = CommonRefusal | TransferRefusal
export type TransferCheckoutProblem = CheckoutProblem<TransferRefusal>
export type TransferAttempt = Attempt<TransferDraft, CheckedTransfer>

const rules: CheckoutRules<
  Payer,
  TransferDraft,
  CheckedTransfer,
  TransferProblem,
  TransferRefusal,
  SentLately
> = {
  id: 'transfer',
  emptyDraft: EMPTY_DRAFT,
  isEmpty: isEmptyDraft,
  change(draft, patch) {
    const isMoved = patch.country !== undefined && patch.country !== draft.country
    return { ...(isMoved ? withCountry(draft, patch.country) : draft), ...patch }
  },
  // What was wrong with the other fields may have been so only for the former country or currency.
  stillWrong: (problems, patch) =>
    'country' in patch || 'currency' in patch ? [] : problems.filter(({ field }) => !(field in patch)),
  restore: (draft) => ({ ...draft, phoneConfirmed: false }),
  emptyLike: ({ currency, country }) => withCountry({ ...EMPTY_DRAFT, currency }, country),
  check: (draft, { subscription }, now) => checkTransfer(draft, { subscription, now }),
  isSameForm,
  isSameOrder: (one, other) =>
    one.gross.minor === other.gross.minor &&
    one.gross.currency === other.gross.currency &&
    one.phone === other.phone &&
    one.receivingMethod === other.receivingMethod &&
    one.coupon === other.coupon &&
    one.quote.fee.minor === other.quote.fee.minor &&
    one.quote.converted.minor === other.quote.converted.minor,
  twinOf,
  isAttemptOver,
}

/** Whether a refusal says that nothing can come of this attempt any more. */
export function isAttemptOver(refusal: ReserveProblem): boolean {
  return isCommonlyOver(refusal) || refusal.kind === 'monthlyCapExceeded' || refusal.kind === 'quoteChanged'
}

export const transferMachine = createCheckout<
  Payer,
  TransferDraft,
  CheckedTransfer,
  TransferProblem,
  TransferRefusal,
  Transaction,
  SentLately
>(rules)
