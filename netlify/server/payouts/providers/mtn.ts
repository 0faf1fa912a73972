import { z } from 'zod'
import { MINUTE } from '../../../../domain/duration.ts'
import { type Currency, decimalsOf, fromMajor, type Money, toMajor } from '../../../../domain/money.ts'
import type { MtnSettings } from '../../platform/payoutSettings.ts'
import type {
  Holder,
  Payout,
  PayoutApi,
  PayoutFailure,
  PayoutField,
  PayoutState,
  Provider,
  Sent,
} from './provider.ts'

/** How long one call of the port may take, with the token that it wants, in milliseconds. */
const PATIENCE = 5_000
/** A token is not used any more so long before it ends, in milliseconds: it has to be good when it arrives. */
const BEFORE_ITS_END = MINUTE

/** Stands in the recipient's wallet and in our own books there. MTN refuses apostrophes and the like, and more than 160 letters. */
const NOTE = 'Passerelle'

/**
 * MTN's words for why it does not pay, by what they mean here; the payer is our own account. What is none of these is no reason that we know:
 * INTERNAL_PROCESSING_ERROR is MTN's word for any of them.
 */
const FAILURES: ReadonlyMap<string, PayoutFailure> = new Map([
  ['NOT_ENOUGH_FUNDS', 'noBalance'],
  ['PAYER_LIMIT_REACHED', 'ourLimit'],
  ['PAYER_NOT_FOUND', 'notSetUp'],
  ['SENDER_ACCOUNT_NOT_ACTIVE', 'notSetUp'],
  ['NOT_ALLOWED', 'notSetUp'],
  ['NOT_ALLOWED_TARGET_ENVIRONMENT', 'notSetUp'],
  ['INVALID_CALLBACK_URL_HOST', 'notSetUp'],
  ['INVALID_CURRENCY', 'notSetUp'],
  ['PAYEE_NOT_FOUND', 'recipientUnknown'],
  ['PAYEE_NOT_ALLOWED_TO_RECEIVE', 'recipientNotAllowed'],
  ['EXPIRED', 'expired'],
  ['TRANSACTION_CANCELED', 'canceled'],
  ['APPROVAL_REJECTED', 'rejected'],
])

const words = z.union([z.string(), z.number()]).transform(String)
/** A decimal, of no more than any account has. */
const amountText = words
  .pipe(z.string().regex(/^-?\d+(\.\d+)?$/))
  .transform(Number)
  .pipe(z.number().min(-1e13).max(1e13))

const tokenBody = z.object({ access_token: z.string().min(1), expires_in: z.coerce.number() })
const balanceBody = z.object({ availableBalance: amountText, currency: z.string() })
const refusalBody = z.object({ code: z.string() })
const loginBody = z.object({ error: z.literal('login_failed') })
const activeBody = z.object({ result: z.union([z.boolean(), z.stringbool()]) })
const holderBody = z.object({ given_name: z.string().nullish(), family_name: z.string().nullish() })
const stateBody = z.object({
  amount: amountText,
  currency: z.string(),
  payee: z.object({ partyId: words }),
  status: z.string(),
  financialTransactionId: words.nullish(),
  // MTN's schema has an object here, and its examples a word.
  reason: z.union([z.string(), refusalBody.transform(({ code }) => code)]).nullish(),
})

/** `body`: undefined when it is no JSON. */
interface Answer {
  readonly status: number
  readonly body: unknown
}

/** What came of a call. `silent`: no answer, or no token to ask with. `notSetUp`: MTN does not let us in, and has taken nothing. */
type Reply = Answer | 'silent' | 'notSetUp'

interface Reach {
  readonly fetch: typeof fetch
  /** UTC milliseconds. */
  readonly now: () => number
  readonly patience?: number
}

/**
 * MTN Mobile Money's Disbursements as a provider: what its API says is told in the words of the port. What the answers mean is in
 * docs/deliveries.md. The amount goes out in major units, as a decimal.
 */
export function mtn(settings: MtnSettings, { fetch, now, patience = PATIENCE }: Reach): Provider {
  let kept: { readonly token: string; readonly endsAt: number } | null = null

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
    return { status: response.status, body: jsonOf(text) }
  }

  async function accessToken(
    signal: AbortSignal,
  ): Promise<{ readonly token: string } | 'silent' | 'notSetUp'> {
    if (kept && now() < kept.endsAt) return kept
    const asked = now()
    const authorization = `Basic ${btoa(`${settings.apiUser}:${settings.apiKey}`)}`
    const { status, body } = await request('token/', { method: 'POST', headers: { authorization }, signal })
    if (isShut(status) || loginBody.safeParse(body).success) return 'notSetUp'
    const given = tokenBody.safeParse(body)
    if (status !== 200 || !given.success) return 'silent'
    kept = {
      token: given.data.access_token,
      endsAt: asked + given.data.expires_in * 1000 - BEFORE_ITS_END,
    }
    return kept
  }

  async function attempt(path: string, init: RequestInit, signal: AbortSignal): Promise<Reply> {
    const given = await accessToken(signal)
    if (typeof given === 'string') return given
    const authorization = `Bearer ${given.token}`
    const answer = await request(path, { ...init, headers: { ...init.headers, authorization }, signal })
    if (!isShut(answer.status)) return answer
    if (kept?.token === given.token) kept = null
    return 'notSetUp'
  }

  /** A token may end before its time: what a kept one does not open is tried once more with another one. */
  async function ask(path: string, init: RequestInit = {}): Promise<Reply> {
    const signal = AbortSignal.timeout(patience)
    const wasKept = kept !== null
    try {
      const reply = await attempt(path, init, signal)
      return reply === 'notSetUp' && wasKept ? await attempt(path, init, signal) : reply
    } catch {
      // The connection broke, or time was up. Whatever it was, it is no answer.
      return 'silent'
    }
  }

  async function send({ reference, transferId, amount, phone }: Payout): Promise<Sent> {
    const reply = await ask('v1_0/transfer', {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-reference-id': reference,
        ...(settings.callback && { 'x-callback-url': settings.callback.href }),
      },
      body: JSON.stringify({
        amount: toMajor(amount).toFixed(decimalsOf(amount.currency)),
        currency: amount.currency,
        externalId: transferId,
        payee: { partyIdType: 'MSISDN', partyId: digitsOf(phone) },
        payerMessage: NOTE,
        payeeNote: NOTE,
      }),
    })
    if (reply === 'silent') return { kind: 'silent' }
    if (reply === 'notSetUp') return { kind: 'refused', failure: 'notSetUp' }
    if (reply.status === 202) return { kind: 'taken' }
    if (reply.status === 409) return { kind: 'known' }
    // Many a wrong request is a 500 there: the code says which is one, and which is a service in trouble.
    const failure = FAILURES.get(codeOf(reply) ?? '')
    if (failure) return { kind: 'refused', failure }
    return reply.status === 400 ? { kind: 'refused', failure: 'notSetUp' } : { kind: 'silent' }
  }

  async function state(payout: Payout): Promise<PayoutState> {
    const reply = await ask(`v1_0/transfer/${payout.reference}`)
    if (typeof reply === 'string') return { kind: 'silent' }
    // A gateway that does not know the address says 404 too, without this word.
    if (reply.status === 404 && codeOf(reply) === 'RESOURCE_NOT_FOUND') return { kind: 'unknown' }
    const told = stateBody.safeParse(reply.body)
    if (reply.status !== 200 || !told.success) return { kind: 'silent' }
    const fields = contradictions(payout, told.data)
    if (fields.length > 0) return { kind: 'contradicted', fields }
    const known = stateOf(told.data)
    const isUnspecified = known.kind === 'failed' && told.data.reason === 'INTERNAL_PROCESSING_ERROR'
    if (!isUnspecified) return known
    // MTN has no word of its own for much, and says that it mostly is the balance: then nobody's money goes back for it.
    const left = await balance(payout.amount.currency)
    if (left === null) return { kind: 'silent' }
    return left.minor < payout.amount.minor ? { kind: 'failed', failure: 'noBalance' } : known
  }

  async function balance(currency: Currency): Promise<Money | null> {
    const reply = await ask('v1_0/account/balance')
    if (typeof reply === 'string' || reply.status !== 200) return null
    const told = balanceBody.safeParse(reply.body)
    if (!told.success || told.data.currency !== currency) return null
    return fromMajor(told.data.availableBalance, currency)
  }

  /** Both are asked at once: who types a number waits. Only that the account is not there, or not active, says that there is none. */
  async function holder(phone: string): Promise<Holder> {
    const account = `v1_0/accountholder/msisdn/${digitsOf(phone)}`
    const [active, info] = await Promise.all([ask(`${account}/active`), ask(`${account}/basicuserinfo`)])
    if (typeof active !== 'string') {
      const isUnknown = active.status === 404 && codeOf(active) === 'RESOURCE_NOT_FOUND'
      const isShut = active.status === 200 && activeBody.safeParse(active.body).data?.result === false
      if (isUnknown || isShut) return { kind: 'none' }
    }
    const told = typeof info === 'string' || info.status !== 200 ? null : holderBody.safeParse(info.body).data
    if (!told) return { kind: 'silent' }
    return { kind: 'held', holder: { given: told.given_name ?? '', family: told.family_name ?? '' } }
  }

  const api: PayoutApi = { send, state, balance, holder }
  return { name: 'mtn', pays: (wallet) => wallet === 'mtn_money', api }
}

function stateOf({ status, reason, financialTransactionId }: z.output<typeof stateBody>): PayoutState {
  switch (status) {
    case 'SUCCESSFUL':
      return { kind: 'delivered', proof: financialTransactionId || null }
    case 'FAILED':
      return { kind: 'failed', failure: FAILURES.get(reason ?? '') ?? 'rejected' }
    case 'PENDING':
    // Not in the documentation: MTN's sandbox says so before it is pending.
    case 'CREATED':
      return { kind: 'pending' }
    default:
      return { kind: 'silent' }
  }
}

/** MTN writes 12.50 as '12.5': amounts are compared as what they are worth. */
function contradictions(
  { amount, phone }: Payout,
  { amount: told, currency, payee }: z.output<typeof stateBody>,
): PayoutField[] {
  const differs: Readonly<Record<PayoutField, boolean>> = {
    amount: told !== toMajor(amount),
    currency: currency !== amount.currency,
    phone: digitsOf(payee.partyId) !== digitsOf(phone),
  }
  return (['amount', 'currency', 'phone'] as const).filter((field) => differs[field])
}

/** Neither keys nor token open it, or it is shut for them. The gateway says so, in front of what takes transfers. */
const isShut = (status: number) => status === 401 || status === 403

const codeOf = ({ body }: Answer): string | null => refusalBody.safeParse(body).data?.code ?? null

/** As MTN writes numbers: with the country, without the plus sign. */
const digitsOf = (phone: string) => phone.replace(/^\+/, '')

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
