import * as v from 'valibot'
import { MINUTE } from '../../../../domain/common/duration.ts'
import { finiteNumber, type Output } from '../../../../domain/common/schema.ts'
import { type Currency, fromMajor, getDecimals, type Money, toMajor } from '../../../../domain/money/money.ts'
import type { MtnSettings } from './mtnSettings.ts'
import type {
  HolderResult,
  Payout,
  PayoutApi,
  PayoutFailure,
  PayoutField,
  PayoutProvider,
  PayoutState,
  SendResult,
} from './provider.ts'

/** In milliseconds, including the time to fetch a token. */
const REQUEST_TIMEOUT = 5_000
/** A token must still be valid on arrival. */
const BEFORE_ITS_END = MINUTE

/** Shown in the recipient's wallet. MTN refuses apostrophes and more than 160 characters. */
const NOTE = 'Passerelle'

/** Either our account lacks funds or the recipient's wallet is full; our balance shows which. */
const LIMITS: ReadonlySet<string> = new Set([
  'NOT_ENOUGH_FUNDS',
  'PAYER_LIMIT_REACHED',
  'LOW_BALANCE_OR_PAYEE_LIMIT_REACHED_OR_NOT_ALLOWED',
])

/**
 * The payer is our own account. Any other reason is unclear: TRANSACTION_CANCELED does not say by whom, and
 * INTERNAL_PROCESSING_ERROR can mean anything.
 */
const FAILURES: ReadonlyMap<string, PayoutFailure> = new Map([
  ['PAYER_NOT_FOUND', 'notSetUp'],
  ['SENDER_ACCOUNT_NOT_ACTIVE', 'notSetUp'],
  ['NOT_ALLOWED', 'notSetUp'],
  ['NOT_ALLOWED_TARGET_ENVIRONMENT', 'notSetUp'],
  ['INVALID_CALLBACK_URL_HOST', 'notSetUp'],
  ['INVALID_CURRENCY', 'notSetUp'],
  ['PAYEE_NOT_FOUND', 'recipientUnknown'],
  ['PAYEE_NOT_ALLOWED_TO_RECEIVE', 'recipientNotAllowed'],
  ['EXPIRED', 'expired'],
  ['APPROVAL_REJECTED', 'rejected'],
])

const words = v.pipe(v.union([v.string(), finiteNumber]), v.transform(String))
/** Within what any account can hold. */
const amountText = v.pipe(
  words,
  v.regex(/^-?\d+(\.\d+)?$/),
  v.transform(Number),
  v.minValue(-1e13),
  v.maxValue(1e13),
)

const tokenBody = v.object({
  access_token: v.pipe(v.string(), v.nonEmpty()),
  expires_in: v.pipe(words, v.transform(Number), finiteNumber),
})
const balanceBody = v.object({ availableBalance: amountText, currency: v.string() })
const refusalCode = v.pipe(
  v.object({ code: v.string() }),
  v.transform(({ code }) => code),
)
const loginBody = v.object({ error: v.literal('login_failed') })
const inactiveBody = v.object({ result: v.union([v.literal(false), v.literal('false')]) })
const holderBody = v.object({ given_name: v.nullish(v.string(), ''), family_name: v.nullish(v.string(), '') })
const stateBody = v.object({
  amount: amountText,
  currency: v.string(),
  payee: v.object({ partyId: words }),
  status: v.string(),
  financialTransactionId: v.nullish(words, null),
  // MTN's schema has an object here, its examples a string.
  reason: v.nullish(v.union([v.string(), refusalCode]), null),
})

interface Answer {
  readonly status: number
  readonly body: unknown
}

/** `silent`: no answer, or no token. `notSetUp`: MTN denies access and has accepted nothing. */
type Reply = Answer | 'silent' | 'notSetUp'

interface Reach {
  readonly fetch: typeof fetch
  /** UTC ms. */
  readonly now: () => number
  readonly timeout?: number
}

/** docs/deliveries.md explains MTN's answers. Amounts are sent in major units. */
export function createMtnProvider(
  settings: MtnSettings,
  { fetch, now, timeout = REQUEST_TIMEOUT }: Reach,
): PayoutProvider {
  let cache: { readonly token: string; readonly endsAt: number } | null = null

  async function request(path: string, init: RequestInit): Promise<Answer> {
    const response = await fetch(new URL(`/disbursement/${path}`, settings.base), {
      ...init,
      redirect: 'manual',
      headers: {
        'ocp-apim-subscription-key': settings.subscriptionKey,
        'x-target-environment': settings.targetEnvironment,
        ...init.headers,
      },
    })
    const text = await response.text()
    return { status: response.status, body: parseJson(text) }
  }

  async function accessToken(
    signal: AbortSignal,
  ): Promise<{ readonly token: string } | 'silent' | 'notSetUp'> {
    if (cache && now() < cache.endsAt) return cache
    const asked = now()
    const authorization = `Basic ${btoa(`${settings.apiUser}:${settings.apiKey}`)}`
    const { status, body } = await request('token/', { method: 'POST', headers: { authorization }, signal })
    if (isShut(status) || v.is(loginBody, body)) return 'notSetUp'
    const given = v.safeParse(tokenBody, body)
    if (status !== 200 || !given.success) return 'silent'
    const { access_token: token, expires_in: seconds } = given.output
    cache = { token, endsAt: asked + seconds * 1000 - BEFORE_ITS_END }
    return cache
  }

  async function attempt(path: string, init: RequestInit, signal: AbortSignal): Promise<Reply> {
    const given = await accessToken(signal)
    if (typeof given === 'string') return given
    const authorization = `Bearer ${given.token}`
    const answer = await request(path, { ...init, headers: { ...init.headers, authorization }, signal })
    if (!isShut(answer.status)) return answer
    if (cache?.token === given.token) cache = null
    return 'notSetUp'
  }

  /** A token may be revoked early, so a call that is denied with a cached token is repeated. */
  async function ask(path: string, init: RequestInit = {}): Promise<Reply> {
    const signal = AbortSignal.timeout(timeout)
    const hadToken = cache !== null
    try {
      const reply = await attempt(path, init, signal)
      return reply === 'notSetUp' && hadToken ? await attempt(path, init, signal) : reply
    } catch {
      return 'silent'
    }
  }

  async function send({ reference, transferId, amount, phone }: Payout): Promise<SendResult> {
    const reply = await ask('v1_0/transfer', {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-reference-id': reference,
        ...(settings.callback && { 'x-callback-url': settings.callback.href }),
      },
      body: JSON.stringify({
        amount: toMajor(amount).toFixed(getDecimals(amount.currency)),
        currency: amount.currency,
        externalId: transferId,
        payee: { partyIdType: 'MSISDN', partyId: toMsisdn(phone) },
        payerMessage: NOTE,
        payeeNote: NOTE,
      }),
    })
    if (reply === 'silent') return { kind: 'silent' }
    if (reply === 'notSetUp') return { kind: 'refused', failure: 'notSetUp' }
    if (reply.status === 202) return { kind: 'taken' }
    if (reply.status === 409) return { kind: 'known' }
    // MTN answers many invalid requests with 500: the code tells them from an outage.
    const code = parseErrorCode(reply) ?? ''
    const failure = FAILURES.get(code) ?? (LIMITS.has(code) ? await explainLimit(amount) : undefined)
    if (failure === null) return { kind: 'silent' }
    if (failure) return { kind: 'refused', failure }
    return reply.status === 400 ? { kind: 'refused', failure: 'notSetUp' } : { kind: 'silent' }
  }

  async function state(payout: Payout): Promise<PayoutState> {
    const reply = await ask(`v1_0/transfer/${payout.reference}`)
    if (typeof reply === 'string') return { kind: 'silent' }
    // The gateway answers 404 to an unknown path as well, but without this code.
    if (reply.status === 404 && parseErrorCode(reply) === 'RESOURCE_NOT_FOUND') return { kind: 'unknown' }
    const parsed = v.safeParse(stateBody, reply.body)
    if (reply.status !== 200 || !parsed.success) return { kind: 'silent' }
    const body = parsed.output
    const fields = findContradictions(payout, body)
    if (fields.length > 0) return { kind: 'contradicted', fields }
    if (body.status !== 'FAILED') return toPayoutState(body)
    const reason = body.reason ?? ''
    const failure =
      FAILURES.get(reason) ?? (await explainLimit(payout.amount, LIMITS.has(reason) ? 'limit' : 'unclear'))
    return failure === null ? { kind: 'silent' } : { kind: 'failed', failure }
  }

  async function explainLimit(
    amount: Money,
    otherwise: PayoutFailure = 'limit',
  ): Promise<PayoutFailure | null> {
    const funds = await balance(amount.currency)
    if (funds === null) return null
    return funds.minor < amount.minor ? 'noBalance' : otherwise
  }

  async function balance(currency: Currency): Promise<Money | null> {
    const reply = await ask('v1_0/account/balance')
    if (typeof reply === 'string' || reply.status !== 200) return null
    const { success, output } = v.safeParse(balanceBody, reply.body)
    return success && output.currency === currency ? fromMajor(output.availableBalance, currency) : null
  }

  /** Only MTN's statement that the account is missing or inactive counts. */
  async function lacksWallet(phone: string): Promise<boolean> {
    const active = await ask(`${buildHolderPath(phone)}/active`)
    if (typeof active === 'string') return false
    const isUnknown = active.status === 404 && parseErrorCode(active) === 'RESOURCE_NOT_FOUND'
    return isUnknown || (active.status === 200 && v.is(inactiveBody, active.body))
  }

  /** Makes both calls concurrently, because the user is waiting. */
  async function holder(phone: string): Promise<HolderResult> {
    const [isMissing, info] = await Promise.all([
      lacksWallet(phone),
      ask(`${buildHolderPath(phone)}/basicuserinfo`),
    ])
    if (isMissing) return { kind: 'none' }
    if (typeof info === 'string' || info.status !== 200) return { kind: 'silent' }
    const { success, output } = v.safeParse(holderBody, info.body)
    if (!success) return { kind: 'silent' }
    return { kind: 'held', holder: { given: output.given_name, family: output.family_name } }
  }

  const api: PayoutApi = { send, state, balance, lacksWallet, holder }
  return { name: 'mtn', pays: (wallet) => wallet === 'mtn_money', api }
}

function toPayoutState({ status, financialTransactionId }: Output<typeof stateBody>): PayoutState {
  switch (status) {
    case 'SUCCESSFUL':
      return { kind: 'delivered', proof: financialTransactionId || null }
    case 'PENDING':
    // Undocumented: MTN's sandbox reports this before PENDING.
    case 'CREATED':
      return { kind: 'pending' }
    default:
      return { kind: 'silent' }
  }
}

/** Compares amounts by value, because MTN writes 12.50 as '12.5'. */
function findContradictions(
  { amount, phone }: Payout,
  { amount: reported, currency, payee }: Output<typeof stateBody>,
): PayoutField[] {
  const differs: Readonly<Record<PayoutField, boolean>> = {
    amount: reported !== toMajor(amount),
    currency: currency !== amount.currency,
    phone: toMsisdn(payee.partyId) !== toMsisdn(phone),
  }
  return (['amount', 'currency', 'phone'] as const).filter((field) => differs[field])
}

/** MTN's gateway rejects our keys or token before any transfer is accepted. */
const isShut = (status: number) => status === 401 || status === 403

function parseErrorCode({ body }: Answer): string | null {
  const { success, output } = v.safeParse(refusalCode, body)
  return success ? output : null
}

const toMsisdn = (phone: string) => phone.replace(/^\+/, '')

const buildHolderPath = (phone: string) => `v1_0/accountholder/msisdn/${toMsisdn(phone)}`

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
