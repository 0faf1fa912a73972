import type { ErrorCode } from './answers.ts'

/** What becomes of a transfer to a number. Any other number has the money at once. */
export type Fate =
  | { readonly kind: 'succeeds' | 'delayed' | 'ongoing' }
  | { readonly kind: 'fails'; readonly reason: string }
  | { readonly kind: 'refused'; readonly code: ErrorCode }

interface TestNumber {
  /** The last two digits: of MTN's own 467331234xx, and of +224 660 00 04 xx. */
  readonly ends: string
  readonly transfer: Fate
  /** What its holder's account answers, where that is another thing than that it is there. */
  readonly holder?: 'inactive' | ErrorCode
  readonly about: string
}

const fails = (reason: string): Fate => ({ kind: 'fails', reason })
const refused = (code: ErrorCode): Fate => ({ kind: 'refused', code })

/**
 * The test numbers of MTN's sandbox for transfers and for account holders, by its page 'Testing'. What the first five do was seen there by others,
 * who wrote it down; of those after them nobody did, so which are taken and fail, and which are refused, is read off their names. The
 * last one is not MTN's: its reason belongs to transfers as well, and no number of the list brings it.
 */
export const TEST_NUMBERS: readonly TestNumber[] = [
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
    about: 'is pending for ever, or until it is decided below',
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
    about: 'fails for want of balance',
  },
  { ends: '56', transfer: fails('PAYER_LIMIT_REACHED'), about: 'fails at our own limit' },
  { ends: '57', transfer: fails('PAYEE_NOT_FOUND'), about: 'fails because there is no such wallet' },
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
    about: 'is answered with 500, and not taken',
  },
  { ends: '63', transfer: refused('SERVICE_UNAVAILABLE'), about: 'is answered with 503, and not taken' },
  {
    ends: '70',
    transfer: fails('PAYEE_NOT_ALLOWED_TO_RECEIVE'),
    about: 'fails because the wallet may not receive',
  },
]

/** A number that can be typed where those of Guinea are asked for. */
export const typed = ({ ends }: Pick<TestNumber, 'ends'>) => `+224 660 00 04 ${ends}`

const testNumber = (msisdn: string) => {
  const [, ends] = /^(?:467331234|2246600004)(\d\d)$/.exec(msisdn) ?? []
  return TEST_NUMBERS.find((number) => number.ends === ends)
}

export const fateOf = (msisdn: string): Fate => testNumber(msisdn)?.transfer ?? { kind: 'succeeds' }

export const holderOf = (msisdn: string): 'active' | 'inactive' | ErrorCode =>
  testNumber(msisdn)?.holder ?? 'active'

const GIVEN_NAMES = ['Mariama', 'Mamadou', 'Aïssatou', 'Ibrahima', 'Fatoumata']
const FAMILY_NAMES = ['Bah', 'Diallo', 'Camara', 'Sow', 'Barry', 'Condé', 'Sylla']

/** The same name for the same number. MTN's sandbox answers the same one for all. */
export function nameOf(msisdn: string) {
  const number = Number(msisdn.slice(-6))
  return {
    given_name: GIVEN_NAMES[number % GIVEN_NAMES.length],
    family_name: FAMILY_NAMES[number % FAMILY_NAMES.length],
  }
}
