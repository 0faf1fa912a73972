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
  readonly paymentMethod?: string
  readonly about: string
}

const succeeds: CardOutcome = { kind: 'succeeds' }
const declined = (
  declineCode: string,
  message = 'Your card was declined.',
  code = 'card_declined',
): CardOutcome => ({
  kind: 'declines',
  code,
  declineCode,
  message,
})
const authenticates = (afterwards: CardOutcome = succeeds): CardOutcome => ({
  kind: 'authenticates',
  afterwards,
})

const card = (
  number: string,
  about: string,
  outcome: CardOutcome = succeeds,
  rest: Partial<TestCard> = {},
): TestCard => ({ number, about, outcome, brand: 'visa', country: 'US', funding: 'credit', ...rest })

/** https://docs.stripe.com/testing */
export const STRIPE_TEST_CARDS: readonly TestCard[] = [
  card('4242424242424242', 'Visa: succeeds', succeeds, { paymentMethod: 'pm_card_visa' }),
  card('4000056655665556', 'Visa debit: succeeds', succeeds, {
    funding: 'debit',
    paymentMethod: 'pm_card_visa_debit',
  }),
  card('5555555555554444', 'Mastercard: succeeds', succeeds, {
    brand: 'mastercard',
    paymentMethod: 'pm_card_mastercard',
  }),
  card('378282246310005', 'American Express: succeeds', succeeds, {
    brand: 'amex',
    paymentMethod: 'pm_card_amex',
  }),
  card('4000002500000003', 'Visa (France): succeeds', succeeds, {
    country: 'FR',
    paymentMethod: 'pm_card_fr',
  }),
  card('4000001240000000', 'Visa (Canada): succeeds', succeeds, {
    country: 'CA',
    paymentMethod: 'pm_card_ca',
  }),
  card('4000000000000077', 'Visa: succeeds, funds available at once', succeeds, {
    paymentMethod: 'pm_card_bypassPending',
  }),
  card(
    '4000000000007726',
    'Succeeds; a refund is pending at first',
    { kind: 'succeeds', refunds: 'wait' },
    { paymentMethod: 'pm_card_pendingRefund' },
  ),
  card(
    '4000000000005126',
    'Succeeds; a refund fails a minute later',
    { kind: 'succeeds', refunds: 'fail' },
    { paymentMethod: 'pm_card_refundFail' },
  ),
  card(
    '4000000000000259',
    'Succeeds; its holder disputes it as fraud',
    { kind: 'succeeds', sequel: 'dispute' },
    { paymentMethod: 'pm_card_createDispute' },
  ),
  card(
    '4000000000001976',
    'Succeeds; the bank sends an inquiry',
    { kind: 'succeeds', sequel: 'inquiry' },
    { paymentMethod: 'pm_card_createDisputeInquiry' },
  ),
  card(
    '4000000000005423',
    'Succeeds; the issuer sends an early fraud warning',
    { kind: 'succeeds', sequel: 'warning' },
    { paymentMethod: 'pm_card_createIssuerFraudRecord' },
  ),
  card(
    '4000000000009235',
    'Succeeds; needs a review',
    { kind: 'succeeds', sequel: 'review' },
    { paymentMethod: 'pm_card_riskLevelElevated' },
  ),
  card('4000000000000002', 'Declined', declined('generic_decline'), {
    paymentMethod: 'pm_card_visa_chargeDeclined',
  }),
  card(
    '4000000000009995',
    'Declined: insufficient funds',
    declined('insufficient_funds', 'Your card has insufficient funds.'),
    { paymentMethod: 'pm_card_visa_chargeDeclinedInsufficientFunds' },
  ),
  card(
    '4000000000000069',
    'Declined: expired card',
    declined('expired_card', 'Your card has expired.', 'expired_card'),
    { paymentMethod: 'pm_card_chargeDeclinedExpiredCard' },
  ),
  card(
    '4000000000000127',
    'Declined: wrong security code',
    declined('incorrect_cvc', "Your card's security code is incorrect.", 'incorrect_cvc'),
    { paymentMethod: 'pm_card_chargeDeclinedIncorrectCvc' },
  ),
  card(
    '4000000000000119',
    'Declined: processing error',
    declined(
      'processing_error',
      'An error occurred while processing your card. Try again in a little bit.',
      'processing_error',
    ),
    { paymentMethod: 'pm_card_chargeDeclinedProcessingError' },
  ),
  card('4000000000000341', 'Declined at each charge, though it can be saved', declined('generic_decline'), {
    paymentMethod: 'pm_card_chargeCustomerFail',
  }),
  card('4000002760003184', '3-D Secure, then succeeds', authenticates(), {
    country: 'DE',
    paymentMethod: 'pm_card_authenticationRequired',
  }),
  card('4000000000003220', '3-D Secure 2, then succeeds', authenticates(), {
    paymentMethod: 'pm_card_threeDSecure2Required',
  }),
  card('4000008400001629', '3-D Secure, then declined', authenticates(declined('generic_decline')), {
    paymentMethod: 'pm_card_threeDSecureRequiredChargeDeclined',
  }),
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
