import type { Subscription } from '../account/profileSchema.ts'
import { cleanCode } from '../common/clean.ts'
import type { Language } from '../common/language.ts'
import { collectFields, err, ok, type Result } from '../common/result.ts'
import {
  type AmountRequiredProblem,
  formatAmountInput,
  type Money,
  parseAmount,
  type SourceCurrency,
} from '../money/money.ts'
import { type CountryCode, findDestination, getDestination } from '../numbers/destinations.ts'
import { groupPhone, parsePhone, type RecipientPhoneProblem } from '../numbers/phone.ts'
import {
  findWalletByPhone,
  getDefaultReceivingMethod,
  type ReceivingMethod,
  type WalletRequiredProblem,
} from '../numbers/wallets.ts'
import type { RecipientFacts, RecipientNameProblem } from '../people/recipientName.ts'
import { type CouponProblem, checkCoupon, isSameCoupon } from '../prices/coupon.ts'
import { type AmountLimitProblem, checkTransferAmount, getTransferLimits } from '../prices/limits.ts'
import { computeGross, type Quote, type QuoteTerms, quoteTransfer } from '../prices/quote.ts'
import type { WalletTariffs } from '../prices/walletTariffsSchema.ts'
import type { TransferDraft } from './shapes/draftSchema.ts'
import { checkFields, mapSenderTexts, SENDER_TEXTS } from './shapes/fields.ts'
import type { CheckedTransfer, UnpricedTransfer } from './shapes/orderSchema.ts'
import { checkWalletLimit, type WalletLimitProblem } from './walletTariffs.ts'

export const EMPTY_TRANSFER_DRAFT: TransferDraft = {
  amount: '',
  currency: 'EUR',
  country: 'GN',
  phone: '',
  ...mapSenderTexts(() => ''),
  receivingMethod: getDefaultReceivingMethod('GN'),
  coupon: '',
  phoneConfirmed: false,
}

/** Takes a number without spaces. */
export function buildRecipientDraft(phone: string): Partial<TransferDraft> {
  const country = findDestination(phone)?.code
  return {
    ...(country && { country }),
    phone: groupPhone(phone),
    recipientName: '',
    phoneConfirmed: false,
  }
}

export function isEmptyTransferDraft({ amount, phone, coupon }: TransferDraft): boolean {
  return amount === '' && coupon === '' && !/\d{4}/.test(cleanCode(phone))
}

/** Minor units, or the text if it is not an amount: '50' and '50,00' are the same. */
const readDraftAmount = ({ amount, currency }: TransferDraft) => {
  const parsed = parseAmount(amount, currency)
  return parsed.ok ? parsed.value.minor : amount
}

const parseDraftPhone = ({ phone, country }: TransferDraft) => parsePhone(phone, country)

export function isSameTransferDraft(one: TransferDraft, other: TransferDraft): boolean {
  return (
    readDraftAmount(one) === readDraftAmount(other) &&
    one.currency === other.currency &&
    parseDraftPhone(one) === parseDraftPhone(other)
  )
}

/** `now` in UTC ms. */
export interface TransferContext {
  /** With the transfers left for this payment. */
  readonly subscription: Subscription
  readonly endedCoupon?: string | null
  /** About the number in the form, or an earlier one; null until the device has read them. */
  readonly recipient?: RecipientFacts | null
  readonly walletTariffs?: WalletTariffs
  readonly now: number
}

export function isSameTransfer(one: UnpricedTransfer, other: UnpricedTransfer): boolean {
  return (
    one.gross.minor === other.gross.minor &&
    one.gross.currency === other.gross.currency &&
    one.phone === other.phone &&
    SENDER_TEXTS.every((name) => one[name] === other[name]) &&
    one.receivingMethod === other.receivingMethod &&
    one.coupon === other.coupon
  )
}

export const buildTransferDraft = (order: CheckedTransfer, language: Language): TransferDraft => ({
  amount: formatAmountInput(order.gross, language),
  currency: order.gross.currency,
  country: order.destination.code,
  phone: groupPhone(order.phone),
  ...mapSenderTexts((name) => order[name] ?? ''),
  receivingMethod: order.receivingMethod,
  coupon: order.coupon ?? '',
  phoneConfirmed: false,
})

export type AmountProblem = AmountRequiredProblem | AmountLimitProblem

export type CouponEndedProblem = { readonly kind: 'couponEnded' }

/** `kind` is the name of the message in the specification. */
export type TransferProblem =
  | ({ readonly field: 'amount' } & (AmountProblem | WalletLimitProblem))
  | ({ readonly field: 'phone' } & RecipientPhoneProblem)
  | ({ readonly field: 'recipientName' } & RecipientNameProblem)
  | ({ readonly field: 'receivingMethod' } & WalletRequiredProblem)
  | ({ readonly field: 'coupon' } & (CouponProblem | CouponEndedProblem))
  | { readonly field: 'phoneConfirmed'; readonly kind: 'confirmPhoneRequired' }

/** Preselects the first wallet, and needs the number confirmed again. Specification, section 5. */
export function changeCountry(draft: TransferDraft, country: CountryCode): TransferDraft {
  return { ...draft, country, receivingMethod: getDefaultReceivingMethod(country), phoneConfirmed: false }
}

/** The one suggested for the number, or else the country's first. */
export function preselectWallet({
  phone,
  country,
}: Pick<TransferDraft, 'phone' | 'country'>): ReceivingMethod | null {
  const wallet = findWalletByPhone(parsePhone(phone, country))
  return wallet?.country === country ? wallet.id : getDefaultReceivingMethod(country)
}

/** Selects the wallet suggested for a new number, unless the user chose another than the preselected one. */
export function changeTransferDraft(draft: TransferDraft, patch: Partial<TransferDraft>): TransferDraft {
  const { country = draft.country, phone, receivingMethod } = patch
  const isMoved = country !== draft.country
  const changed = { ...(isMoved ? changeCountry(draft, country) : draft), ...patch }
  if (phone === undefined || receivingMethod !== undefined) return changed
  const isChosen = !isMoved && draft.receivingMethod !== preselectWallet(draft)
  return isChosen ? changed : { ...changed, receivingMethod: preselectWallet(changed) }
}

/** Ignores an invalid coupon. */
export function quoteDraft(draft: PricedDraft, context: TransferContext): Result<Quote, AmountProblem> {
  const gross = checkGross(draft)
  if (!gross.ok) return gross
  return ok(quoteTransfer({ gross: gross.value, ...getQuoteTerms(draft, context) }))
}

/** Its rate and fee rule apply before an amount is typed. */
export const quoteLeast = (draft: PricedDraft, context: TransferContext): Quote =>
  quoteTransfer({ gross: getTransferLimits(draft.currency).min, ...getQuoteTerms(draft, context) })

export type PricedDraft = Pick<TransferDraft, 'amount' | 'currency' | 'country' | 'coupon'>

/** The least amount to pay for `typed`. Slightly more may arrive, because a cent is worth many francs. */
export function parseWantedAmount(
  typed: string,
  draft: PricedDraft,
  context: TransferContext,
): Result<{ readonly wanted: Money; readonly gross: Money<SourceCurrency> }, AmountRequiredProblem> {
  const wanted = parseAmount(typed, getDestination(draft.country).currency)
  if (!wanted.ok) return wanted
  return ok({
    wanted: wanted.value,
    gross: computeGross(wanted.value, draft.currency, getQuoteTerms(draft, context)),
  })
}

function getQuoteTerms(
  { country, coupon: typed }: PricedDraft,
  { subscription, endedCoupon, now }: TransferContext,
): QuoteTerms {
  const checked = checkCouponNow(typed, endedCoupon)
  const coupon = checked.ok ? checked.value : null
  return { destination: getDestination(country), coupon, subscription, now }
}

/** Returns every problem. The server checks the cap and the profile. Specification, sections 4 and 5. */
export function checkTransfer(
  draft: TransferDraft,
  { subscription, endedCoupon, recipient, walletTariffs, now }: TransferContext,
): Result<CheckedTransfer, readonly TransferProblem[]> {
  const gross = checkGross(draft)
  const { country, receivingMethod } = draft
  const { destination, checks } = checkFields({
    phone: parseDraftPhone(draft),
    country,
    ...mapSenderTexts((name) => draft[name]),
    ...chooseRecipientName(draft, recipient),
    receivingMethod,
    coupon: draft.coupon,
  })
  const coupon = checkCouponNow(draft.coupon, endedCoupon)
  const terms = { destination, coupon: coupon.ok ? coupon.value : null, subscription, now }
  const wallet = checks.receivingMethod.ok ? checks.receivingMethod.value : null
  const checked = collectFields({
    amount: gross.ok
      ? checkWalletLimit(quoteTransfer({ gross: gross.value, ...terms }), wallet, terms, walletTariffs)
      : gross,
    ...checks,
    coupon,
    phoneConfirmed: draft.phoneConfirmed ? ok(true) : err({ kind: 'confirmPhoneRequired' as const }),
  })
  if (!checked.ok) return checked
  const { amount: quote, phoneConfirmed: _, ...fields } = checked.value
  return ok({ gross: quote.gross, ...fields, destination, quote })
}

/** A name that is not asked for replaces the typed one. */
function chooseRecipientName(draft: TransferDraft, recipient: RecipientFacts | null | undefined) {
  const facts = recipient?.phone === parseDraftPhone(draft) ? recipient : null
  const recipientName = facts?.nameQuestion === 'none' ? (facts.name ?? '') : draft.recipientName
  return { recipientName, isNameRequired: facts?.nameQuestion === 'required' }
}

function checkCouponNow(
  text: string,
  ended: string | null | undefined,
): Result<string | null, CouponProblem | CouponEndedProblem> {
  const coupon = checkCoupon(text)
  const hasEnded = coupon.ok && coupon.value !== null && ended && isSameCoupon(coupon.value, ended)
  return hasEnded ? err({ kind: 'couponEnded' }) : coupon
}

function checkGross({
  amount,
  currency,
}: Pick<TransferDraft, 'amount' | 'currency'>): Result<Money<SourceCurrency>, AmountProblem> {
  const parsed = parseAmount(amount, currency)
  return parsed.ok ? checkTransferAmount(parsed.value) : parsed
}
