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
  /** Active by default. */
  readonly holder?: 'inactive' | MtnErrorCode
  readonly about: string
}

const fails = (reason: string): TransferOutcome => ({ kind: 'fails', reason })
const refused = (code: MtnErrorCode): TransferOutcome => ({ kind: 'refused', code })

/**
 * From MTN's page 'Testing'. Other developers have published the behavior of the first five; that of the
 * others is inferred from their names. The last number is not MTN's.
 */
export const MTN_TEST_NUMBERS: readonly TestNumber[] = [
  {
    ends: '50',
    transfer: fails('INTERNAL_PROCESSING_ERROR'),
    holder: 'RESOURCE_NOT_FOUND',
    about: 'no wallet; fails without a reason',
  },
  {
    ends: '51',
    transfer: fails('APPROVAL_REJECTED'),
    holder: 'inactive',
    about: 'wallet not active; rejected',
  },
  { ends: '52', transfer: fails('EXPIRED'), holder: 'NOT_ALLOWED', about: 'expires' },
  {
    ends: '53',
    transfer: { kind: 'ongoing' },
    holder: 'NOT_ALLOWED_TARGET_ENVIRONMENT',
    about: 'stays pending until you decide it above',
  },
  {
    ends: '54',
    transfer: { kind: 'delayed' },
    holder: 'INTERNAL_PROCESSING_ERROR',
    about: 'arrives after half a minute',
  },
  {
    ends: '55',
    transfer: fails('NOT_ENOUGH_FUNDS'),
    holder: 'SERVICE_UNAVAILABLE',
    about: 'fails because the balance is too low',
  },
  { ends: '56', transfer: fails('PAYER_LIMIT_REACHED'), about: 'fails because of our own limit' },
  { ends: '57', transfer: fails('PAYEE_NOT_FOUND'), about: 'fails because the wallet does not exist' },
  { ends: '58', transfer: refused('NOT_ALLOWED'), about: 'is refused: not allowed' },
  {
    ends: '59',
    transfer: refused('NOT_ALLOWED_TARGET_ENVIRONMENT'),
    about: 'is refused: another target environment',
  },
  {
    ends: '60',
    transfer: refused('INVALID_CALLBACK_URL_HOST'),
    about: 'is refused: another host for callbacks',
  },
  { ends: '61', transfer: refused('INVALID_CURRENCY'), about: 'is refused: another currency' },
  {
    ends: '62',
    transfer: refused('INTERNAL_PROCESSING_ERROR'),
    about: 'gets the response 500, and is not accepted',
  },
  {
    ends: '63',
    transfer: refused('SERVICE_UNAVAILABLE'),
    about: 'gets the response 503, and is not accepted',
  },
  {
    ends: '70',
    transfer: fails('PAYEE_NOT_ALLOWED_TO_RECEIVE'),
    about: 'fails because the wallet may not receive',
  },
]

export const formatTestNumber = ({ ends }: Pick<TestNumber, 'ends'>) => `+224 660 00 04 ${ends}`

const findTestNumber = (msisdn: string) => {
  const [, ends] = /^(?:467331234|2246600004)(\d\d)$/.exec(msisdn) ?? []
  return MTN_TEST_NUMBERS.find((number) => number.ends === ends)
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
