import { type CouponProblem, checkCoupon, isSameCoupon } from './coupon.ts'
import { type CountryCode, destinationByCode, destinationOf } from './destinations.ts'
import { type AmountOutOfLimits, checkAmount } from './limits.ts'
import { type AmountMissing, type Money, parseAmount, type SourceCurrency } from './money.ts'
import {
  checkRecipientPhone,
  groupPhone,
  normalisePhone,
  type RecipientPhoneProblem,
  readPhone,
} from './phone.ts'
import { grossFor, type Quote, type QuoteTerms, quoteTransfer } from './quote.ts'
import { err, ok, type Result } from './result.ts'
import type { InferOutput } from './schema.ts'
import type { transferOrderSchema } from './schemas/order.ts'
import type { Subscription } from './schemas/profile.ts'
import {
  checkWallet,
  firstWallet,
  type ReceivingMethod,
  type WalletMissing,
  walletOfNumber,
} from './wallets.ts'

/** The transfer form as it is typed. Plain data. */
export interface TransferDraft {
  readonly amount: string
  readonly currency: SourceCurrency
  readonly country: CountryCode
  readonly phone: string
  readonly receivingMethod: ReceivingMethod | null
  readonly coupon: string
  readonly phoneConfirmed: boolean
}

export const EMPTY_DRAFT: TransferDraft = {
  amount: '',
  currency: 'EUR',
  country: 'GN',
  phone: '',
  receivingMethod: firstWallet('GN'),
  coupon: '',
  phoneConfirmed: false,
}

/** The part of the form that says who receives, for a number (without spaces): its country is the one of its prefix. */
export function draftTo(phone: string): Partial<TransferDraft> {
  const country = destinationOf(phone)?.code
  return { ...(country && { country }), phone: groupPhone(phone), phoneConfirmed: false }
}

/** Whether there is nothing in the form that somebody would miss. */
export function isEmptyDraft({ amount, phone, coupon }: TransferDraft): boolean {
  return amount === '' && coupon === '' && !/\d{4}/.test(normalisePhone(phone))
}

const phoneIn = ({ phone, country }: TransferDraft) => readPhone(phone, country)

/** Whether both forms are the same transfer, rather than one typed since. */
export function isSameForm(one: TransferDraft, other: TransferDraft): boolean {
  return one.amount === other.amount && one.currency === other.currency && phoneIn(one) === phoneIn(other)
}

/** What the quote depends on besides the form; `now` in UTC ms. */
export interface TransferContext {
  /** With what is left for this transfer. */
  readonly subscription: Subscription
  readonly endedCoupon?: string | null
  readonly now: number
}

/** A transfer that keeps every rule of the form. */
export type CheckedTransfer = InferOutput<typeof transferOrderSchema>

/** Whether both send the same amount to the same wallet with the same coupon, at whatever price. */
export function isSameTransfer(
  one: Omit<CheckedTransfer, 'quote'>,
  other: Omit<CheckedTransfer, 'quote'>,
): boolean {
  return (
    one.gross.minor === other.gross.minor &&
    one.gross.currency === other.gross.currency &&
    one.phone === other.phone &&
    one.receivingMethod === other.receivingMethod &&
    one.coupon === other.coupon
  )
}

export type AmountProblem = AmountMissing | AmountOutOfLimits

/** It was good once, and the server refused it. */
export type CouponEnded = { readonly kind: 'couponEnded' }

/** The field of the form, and what is wrong with it, by the name of the message's template. */
export type TransferProblem =
  | ({ readonly field: 'amount' } & AmountProblem)
  | ({ readonly field: 'phone' } & RecipientPhoneProblem)
  | ({ readonly field: 'receivingMethod' } & WalletMissing)
  | ({ readonly field: 'coupon' } & (CouponProblem | CouponEnded))
  | { readonly field: 'phoneConfirmed'; readonly kind: 'confirmPhoneRequired' }

/** The draft for another country: its first wallet is preselected, its number is to be confirmed. Specification, section 5. */
export function withCountry(draft: TransferDraft, country: CountryCode): TransferDraft {
  return { ...draft, country, receivingMethod: firstWallet(country), phoneConfirmed: false }
}

/** The wallet to begin with: the one that goes with the number, or else the first of the country. */
export function preselectedWallet({
  phone,
  country,
}: Pick<TransferDraft, 'phone' | 'country'>): ReceivingMethod | null {
  const wallet = walletOfNumber(readPhone(phone, country))
  return wallet?.country === country ? wallet.id : firstWallet(country)
}

/**
 * The draft after a change. A new number brings its wallet, unless the person has chosen one: whatever differs from what would have been
 * preselected was chosen.
 */
export function changeDraft(draft: TransferDraft, patch: Partial<TransferDraft>): TransferDraft {
  const { country = draft.country, phone, receivingMethod } = patch
  const isMoved = country !== draft.country
  const changed = { ...(isMoved ? withCountry(draft, country) : draft), ...patch }
  if (phone === undefined || receivingMethod !== undefined) return changed
  const isChosen = !isMoved && draft.receivingMethod !== preselectedWallet(draft)
  return isChosen ? changed : { ...changed, receivingMethod: preselectedWallet(changed) }
}

/** The quote to show while the form is being filled in. A coupon that can't be one counts as none. */
export function quoteDraft(draft: PricedDraft, context: TransferContext): Result<Quote, AmountProblem> {
  const gross = checkGross(draft)
  if (!gross.ok) return gross
  return ok(quoteTransfer({ gross: gross.value, ...termsOf(draft, context) }))
}

/** What of the form decides about the price beside the amount. */
export type PricedDraft = Pick<TransferDraft, 'amount' | 'currency' | 'country' | 'coupon'>

/**
 * What somebody wants to arrive, as it is typed, and the least amount to pay for it. What arrives of that may be a little more, because
 * a cent is worth many francs. The limits are those of the amount.
 */
export function amountToReach(
  typed: string,
  draft: PricedDraft,
  context: TransferContext,
): Result<{ readonly wanted: Money; readonly gross: Money<SourceCurrency> }, AmountMissing> {
  const wanted = parseAmount(typed, destinationByCode(draft.country).currency)
  if (!wanted.ok) return wanted
  return ok({
    wanted: wanted.value,
    gross: grossFor(wanted.value, draft.currency, termsOf(draft, context)),
  })
}

function termsOf(
  { country, coupon: typed }: PricedDraft,
  { subscription, endedCoupon, now }: TransferContext,
): QuoteTerms {
  const checked = checkCouponNow(typed, endedCoupon)
  const coupon = checked.ok ? checked.value : null
  return { destination: destinationByCode(country), coupon, subscription, now }
}

/**
 * Everything the form asks for, and every problem at once, in the order of its fields. The monthly cap and the
 * profile are checked by the server. Specification, sections 4 and 5.
 */
export function checkTransfer(
  draft: TransferDraft,
  { subscription, endedCoupon, now }: TransferContext,
): Result<CheckedTransfer, readonly TransferProblem[]> {
  const gross = checkGross(draft)
  const phone = checkRecipientPhone(readPhone(draft.phone, draft.country), draft.country)
  const wallet = checkWallet(draft.receivingMethod, draft.country)
  const coupon = checkCouponNow(draft.coupon, endedCoupon)
  if (gross.ok && phone.ok && wallet.ok && coupon.ok && draft.phoneConfirmed) {
    const destination = destinationByCode(draft.country)
    const quote = quoteTransfer({ gross: gross.value, destination, coupon: coupon.value, subscription, now })
    return ok({
      gross: gross.value,
      phone: phone.value,
      destination,
      receivingMethod: wallet.value,
      coupon: coupon.value,
      quote,
    })
  }
  const problems: TransferProblem[] = []
  if (!gross.ok) problems.push({ field: 'amount', ...gross.error })
  if (!phone.ok) problems.push({ field: 'phone', ...phone.error })
  if (!wallet.ok) problems.push({ field: 'receivingMethod', ...wallet.error })
  if (!coupon.ok) problems.push({ field: 'coupon', ...coupon.error })
  if (!draft.phoneConfirmed) problems.push({ field: 'phoneConfirmed', kind: 'confirmPhoneRequired' })
  return err(problems)
}

function checkCouponNow(
  text: string,
  ended: string | null | undefined,
): Result<string | null, CouponProblem | CouponEnded> {
  const coupon = checkCoupon(text)
  const hasEnded = coupon.ok && coupon.value !== null && ended && isSameCoupon(coupon.value, ended)
  return hasEnded ? err({ kind: 'couponEnded' }) : coupon
}

function checkGross({
  amount,
  currency,
}: Pick<TransferDraft, 'amount' | 'currency'>): Result<Money<SourceCurrency>, AmountProblem> {
  const parsed = parseAmount(amount, currency)
  return parsed.ok ? checkAmount(parsed.value) : parsed
}
