import type { MtnErrorCode } from './errors.ts'

/** Transfers to other numbers succeed immediately. */
export type TransferOutcome =
  | { readonly kind: 'succeeds' | 'delayed' | 'ongoing' }
  | { readonly kind: 'fails'; readonly reason: string }
  | { readonly kind: 'refused'; readonly code: MtnErrorCode }

interface TestNumber {
  /** The last two digits of MTN's own 467331234xx, and of +224 660 00 04 xx. */
  readonly ends: string
  readonly transfer: TransferOutcome
  readonly holder: 'active' | 'inactive' | MtnErrorCode
  readonly about: string
}

const fails = (reason: string): TransferOutcome => ({ kind: 'fails', reason })
const refused = (code: MtnErrorCode): TransferOutcome => ({ kind: 'refused', code })
const number = (
  ends: string,
  about: string,
  transfer: TransferOutcome,
  holder: TestNumber['holder'] = 'active',
): TestNumber => ({ ends, about, transfer, holder })

/**
 * From MTN's page 'Testing'. Other developers have published the behavior of the first five; that of the
 * others is inferred from their names. The last number is not MTN's.
 */
export const MTN_TEST_NUMBERS: readonly TestNumber[] = [
  number('50', 'no wallet; fails without a reason', fails('INTERNAL_PROCESSING_ERROR'), 'RESOURCE_NOT_FOUND'),
  number('51', 'wallet not active; rejected', fails('APPROVAL_REJECTED'), 'inactive'),
  number('52', 'expires', fails('EXPIRED'), 'NOT_ALLOWED'),
  number(
    '53',
    'stays pending until you decide it above',
    { kind: 'ongoing' },
    'NOT_ALLOWED_TARGET_ENVIRONMENT',
  ),
  number('54', 'arrives after half a minute', { kind: 'delayed' }, 'INTERNAL_PROCESSING_ERROR'),
  number('55', 'fails because the balance is too low', fails('NOT_ENOUGH_FUNDS'), 'SERVICE_UNAVAILABLE'),
  number('56', 'fails because of our own limit', fails('PAYER_LIMIT_REACHED')),
  number('57', 'fails because the wallet does not exist', fails('PAYEE_NOT_FOUND')),
  number('58', 'is refused: not allowed', refused('NOT_ALLOWED')),
  number('59', 'is refused: another target environment', refused('NOT_ALLOWED_TARGET_ENVIRONMENT')),
  number('60', 'is refused: another host for callbacks', refused('INVALID_CALLBACK_URL_HOST')),
  number('61', 'is refused: another currency', refused('INVALID_CURRENCY')),
  number('62', 'gets the response 500, and is not accepted', refused('INTERNAL_PROCESSING_ERROR')),
  number('63', 'gets the response 503, and is not accepted', refused('SERVICE_UNAVAILABLE')),
  number('70', 'fails because the wallet may not receive', fails('PAYEE_NOT_ALLOWED_TO_RECEIVE')),
]

export const formatTestNumber = ({ ends }: Pick<TestNumber, 'ends'>) => `+224 660 00 04 ${ends}`

const findTestNumber = (msisdn: string) => {
  const [, ends] = /^(?:467331234|2246600004)(\d\d)$/.exec(msisdn) ?? []
  return MTN_TEST_NUMBERS.find((one) => one.ends === ends)
}

export const getTransferOutcome = (msisdn: string): TransferOutcome =>
  findTestNumber(msisdn)?.transfer ?? { kind: 'succeeds' }

export const getHolderStatus = (msisdn: string): 'active' | 'inactive' | MtnErrorCode =>
  findTestNumber(msisdn)?.holder ?? 'active'

const GIVEN_NAMES = ['Mariama', 'Mamadou', 'Aïssatou', 'Ibrahima', 'Fatoumata']
const FAMILY_NAMES = ['Bah', 'Diallo', 'Camara', 'Sow', 'Barry', 'Condé', 'Sylla']

/** MTN's sandbox returns the same name for all numbers. */
export function getHolderName(msisdn: string) {
  const number = Number(msisdn.slice(-6))
  return {
    given_name: GIVEN_NAMES[number % GIVEN_NAMES.length],
    family_name: FAMILY_NAMES[number % FAMILY_NAMES.length],
  }
}
