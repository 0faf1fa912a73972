export type CardOutcome =
  | { kind: 'succeeds'; refunds?: SlowRefundOutcome; sequel?: ChargeConsequence }
  | { kind: 'declines'; code: string; declineCode: string; message: string }
  | { kind: 'authenticates'; afterwards: CardOutcome }

export type ChargeConsequence = 'dispute' | 'inquiry' | 'warning' | 'review'

/** `wait` completes a pending refund, `fail` reverses a succeeded one. */
export type SlowRefundOutcome = 'wait' | 'fail'

export interface TestCard {
  readonly number: string
  readonly brand: string
  readonly country: string
  readonly funding: 'credit' | 'debit'
  readonly outcome: CardOutcome
  readonly paymentMethod: string
  readonly about: string
}

const succeeds: CardOutcome = { kind: 'succeeds' }
const DECLINED = 'Your card was declined.'
const declined = (declineCode: string, message = DECLINED, code = 'card_declined'): CardOutcome => ({
  kind: 'declines',
  code,
  declineCode,
  message,
})
const declinedWith = (code: string, message: string) => declined(code, message, code)
const authenticates = (afterwards: CardOutcome = succeeds): CardOutcome => ({
  kind: 'authenticates',
  afterwards,
})

const card = (
  number: string,
  method: string,
  about: string,
  outcome: CardOutcome = succeeds,
  rest: Partial<TestCard> = {},
): TestCard => ({
  number,
  paymentMethod: `pm_card_${method}`,
  about,
  outcome,
  brand: 'visa',
  country: 'US',
  funding: 'credit',
  ...rest,
})

const refunds = (how: SlowRefundOutcome): CardOutcome => ({ kind: 'succeeds', refunds: how })
const leadsTo = (sequel: ChargeConsequence): CardOutcome => ({ kind: 'succeeds', sequel })
const REFUSED = declined('generic_decline')
const NO_FUNDS = declined('insufficient_funds', 'Your card has insufficient funds.')
const EXPIRED = declinedWith('expired_card', 'Your card has expired.')
const WRONG_CODE = declinedWith('incorrect_cvc', "Your card's security code is incorrect.")
const UNPROCESSED = declinedWith(
  'processing_error',
  'An error occurred while processing your card. Try again in a little bit.',
)

/** https://docs.stripe.com/testing */
export const STRIPE_TEST_CARDS: readonly TestCard[] = [
  card('4242424242424242', 'visa', 'Visa: succeeds'),
  card('4000056655665556', 'visa_debit', 'Visa debit: succeeds', succeeds, { funding: 'debit' }),
  card('5555555555554444', 'mastercard', 'Mastercard: succeeds', succeeds, { brand: 'mastercard' }),
  card('378282246310005', 'amex', 'American Express: succeeds', succeeds, { brand: 'amex' }),
  card('4000002500000003', 'fr', 'Visa (France): succeeds', succeeds, { country: 'FR' }),
  card('4000001240000000', 'ca', 'Visa (Canada): succeeds', succeeds, { country: 'CA' }),
  card('4000000000000077', 'bypassPending', 'Visa: succeeds, funds available at once'),
  card('4000000000007726', 'pendingRefund', 'Succeeds; a refund is pending at first', refunds('wait')),
  card('4000000000005126', 'refundFail', 'Succeeds; a refund fails a minute later', refunds('fail')),
  card('4000000000000259', 'createDispute', 'Succeeds; its holder disputes it as fraud', leadsTo('dispute')),
  card('4000000000001976', 'createDisputeInquiry', 'Succeeds; the bank sends an inquiry', leadsTo('inquiry')),
  card(
    '4000000000005423',
    'createIssuerFraudRecord',
    'Succeeds; the issuer sends an early fraud warning',
    leadsTo('warning'),
  ),
  card('4000000000009235', 'riskLevelElevated', 'Succeeds; needs a review', leadsTo('review')),
  card('4000000000000002', 'visa_chargeDeclined', 'Declined', REFUSED),
  card('4000000000009995', 'visa_chargeDeclinedInsufficientFunds', 'Declined: insufficient funds', NO_FUNDS),
  card('4000000000000069', 'chargeDeclinedExpiredCard', 'Declined: expired card', EXPIRED),
  card('4000000000000127', 'chargeDeclinedIncorrectCvc', 'Declined: wrong security code', WRONG_CODE),
  card('4000000000000119', 'chargeDeclinedProcessingError', 'Declined: processing error', UNPROCESSED),
  card('4000000000000341', 'chargeCustomerFail', 'Can be saved, but is declined at each charge', REFUSED),
  card('4000002760003184', 'authenticationRequired', '3-D Secure, then succeeds', authenticates(), {
    country: 'DE',
  }),
  card('4000000000003220', 'threeDSecure2Required', '3-D Secure 2, then succeeds', authenticates()),
  card(
    '4000008400001629',
    'threeDSecureRequiredChargeDeclined',
    '3-D Secure, then declined',
    authenticates(REFUSED),
  ),
]

/** The user may have typed a real card. */
export const LIVE_CARD_DECLINE: CardOutcome = declined(
  'test_mode_live_card',
  'Your card was declined. Your request was in test mode, but used a non test (live) card. For a list of valid test cards, visit: https://stripe.com/docs/testing.',
)

export const findTestCard = (number: string) => STRIPE_TEST_CARDS.find((known) => known.number === number)

export const findCardByPaymentMethod = (id: string) =>
  STRIPE_TEST_CARDS.find((known) => known.paymentMethod === id)

/** ISO/IEC 7812 (Luhn). */
export function hasValidCheckDigit(number: string): boolean {
  if (!/^\d{12,19}$/.test(number)) return false
  const sum = [...number]
    .reverse()
    .map((digit, index) => Number(digit) * (index % 2 === 0 ? 1 : 2))
    .reduce((total, value) => total + (value > 9 ? value - 9 : value), 0)
  return sum % 10 === 0
}
