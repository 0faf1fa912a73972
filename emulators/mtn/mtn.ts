import { randomInt } from 'node:crypto'
import { type Context, Hono } from 'hono'
import { z } from 'zod'
import type { Clock, Emulator, ReportUnknown } from '../emulator.ts'
import { newSecret } from '../emulator.ts'
import { badRequest, gateway, refuse, unauthorised } from './answers.ts'
import { createCallbacks, type DeliverCallback } from './callbacks.ts'
import type { MtnDump, State, Transfer } from './state.ts'
import { fateOf, holderOf, nameOf } from './testNumbers.ts'

export type { MtnDump, Transfer } from './state.ts'
export { TEST_NUMBERS, typed } from './testNumbers.ts'

export interface MtnDeps {
  readonly clock: Clock
  readonly reportUnknown: ReportUnknown
  /** Of the product Disbursements: each product has one of its own. */
  readonly subscriptionKey: string
  /** 'sandbox' at MTN's own sandbox, the name of a country's service elsewhere. */
  readonly targetEnvironment: string
  /** MTN's own sandbox knows EUR only. */
  readonly currency: string
  /** The account as its portal made it. */
  readonly apiUser: string
  readonly apiKey: string
  /** The host that was registered for callbacks; asked at each use, because it may be known only once something listens. */
  readonly callbackHost: () => string
  /** What the account has at first, in units of the currency. */
  readonly openingBalance: number
  /** Sends callbacks; the platform's own by default. */
  readonly fetch?: typeof globalThis.fetch
  /** What becomes of each callback; by default it is delivered. */
  readonly deliver?: DeliverCallback
}

export interface MtnEmulator extends Emulator {
  /** What was taken, the oldest first. */
  transfers(): Transfer[]
  /** What the account has, in units of the currency. */
  balance(): number
  /** Puts so much into the account, in units of the currency; below zero it takes so much out. */
  fill(amount: number): void
  /** Decides a transfer that is pending, as MTN does in the end: with the reason of a failure, or null for a success. */
  decide(reference: string, reason: string | null): void
  /** What has failed is told without its reason. */
  forgetReasons(): void
  /** From now on no token is good that was given out before, as after a new API key. */
  endTokens(): void
  /** While on, a transfer is answered only after its callback was. */
  callbacksFirst(isOn: boolean): void
  /** Resolves when every callback was delivered or lost. */
  settled(): Promise<void>
  dump(): MtnDump
  /** Replaces everything by a snapshot. Callbacks that were still to come are sent. */
  load(dump: MtnDump): void
}

const TOKEN_SECONDS = 3600
/** MTN's sandbox takes some 25 seconds. */
const DELAY_MS = 30_000

const uuid = z.uuid({ version: 'v4' })

/** The schema of a transfer. Other kinds of parties are legal, and not in here. */
const transferBody = z.strictObject({
  amount: z.string().regex(/^\d+(\.\d{1,2})?$/),
  currency: z.string().regex(/^[A-Z]{3}$/),
  externalId: z.string().regex(/^\S*$/).default(''),
  payee: z.strictObject({ partyIdType: z.string(), partyId: z.string() }),
  // Apostrophes and the like are what the page of common errors names as a reason for a 400.
  payerMessage: z
    .string()
    .max(160)
    .regex(/^[^'"<>&]*$/)
    .default(''),
  payeeNote: z
    .string()
    .max(160)
    .regex(/^[^'"<>&]*$/)
    .default(''),
})

/** A number by ITU-T E.164 with its country, and without the plus sign. */
const MSISDN = /^[1-9]\d{7,14}$/
const OTHER_PARTIES = ['EMAIL', 'PARTY_CODE', 'ALIAS']

/** Stands in for MTN Mobile Money's Disbursements: the API below `/disbursement`. */
export function createMtn(deps: MtnDeps): MtnEmulator {
  const { clock, reportUnknown } = deps
  let state = emptyState(deps)
  let waitsForCallbacks = false
  const callbacks = createCallbacks({
    fetch: deps.fetch ?? ((...request) => globalThis.fetch(...request)),
    deliver: deps.deliver ?? ((_, send) => send()),
  })

  const unknown = (c: Context, what = '') => {
    const line = `${c.req.method} ${c.req.path} ${what}`.trim()
    reportUnknown('mtn', line)
    return c.json({ message: `The sandbox does not stand in for this part of MTN: ${line}`, code: '' }, 501)
  }

  function decide(transfer: Transfer, reason: string | null) {
    const lacks = reason === null && transfer.amount > state.balance
    transfer.decidedAt = null
    transfer.reason = lacks ? 'NOT_ENOUGH_FUNDS' : reason
    transfer.status = transfer.reason === null ? 'SUCCESSFUL' : 'FAILED'
    if (transfer.reason === null) {
      state.balance -= transfer.amount
      transfer.financialTransactionId = String(randomInt(1_000_000_000, 10_000_000_000))
    }
    callBack(transfer)
  }

  function callBack(transfer: Transfer) {
    if (transfer.callbackUrl === null || transfer.isCalledBack) return
    callbacks.send(transfer.callbackUrl, shown(transfer), () => {
      transfer.isCalledBack = true
    })
  }

  /** What only needs time. */
  function letTimePass() {
    for (const transfer of state.transfers.values())
      if (transfer.decidedAt !== null && transfer.decidedAt <= clock.now()) decide(transfer, null)
  }

  /** Nobody may ask meanwhile: the callback comes all the same. */
  function letTimePassAt(due: number) {
    setTimeout(letTimePass, due - clock.now()).unref()
  }

  const app = new Hono()
  app.use('/disbursement/*', async (c, next) => {
    const key = c.req.header('ocp-apim-subscription-key')
    if (key === undefined)
      return gateway(
        c,
        'Access denied due to missing subscription key. Make sure to include subscription key when making requests to an API.',
      )
    if (key !== deps.subscriptionKey)
      return gateway(
        c,
        'Access denied due to invalid subscription key. Make sure to provide a valid key for an active subscription.',
      )
    return next()
  })

  app.post('/disbursement/token/', (c) => {
    const [scheme, credentials = ''] = (c.req.header('authorization') ?? '').split(' ')
    const [id = '', key] = Buffer.from(credentials, 'base64').toString().split(':')
    if (scheme !== 'Basic' || id !== deps.apiUser || key !== deps.apiKey)
      return unauthorised(c, 'login_failed')
    const token = newSecret()
    state.tokens.set(token, clock.now() + TOKEN_SECONDS * 1000)
    return c.json({ access_token: token, token_type: 'access_token', expires_in: TOKEN_SECONDS })
  })

  const isSignedIn = (c: Context) => {
    const [, token = ''] = /^Bearer (.+)$/.exec(c.req.header('authorization') ?? '') ?? []
    return clock.now() < (state.tokens.get(token) ?? 0)
  }
  app.use('/disbursement/*', async (c, next) => {
    if (!isSignedIn(c)) return unauthorised(c, 'invalid_token')
    if (c.req.header('x-target-environment') !== deps.targetEnvironment)
      return refuse(c, 'NOT_ALLOWED_TARGET_ENVIRONMENT')
    letTimePass()
    return next()
  })

  app.post('/disbursement/v1_0/transfer', async (c) => {
    const reference = uuid.safeParse(c.req.header('x-reference-id'))
    const read = transferBody.safeParse(await c.req.json().catch(() => undefined))
    if (!reference.success) return badRequest(c)
    if (!read.success) {
      const odd = read.error.issues.flatMap((issue) => (issue.code === 'unrecognized_keys' ? issue.keys : []))
      return odd.length > 0 ? unknown(c, odd.join(', ')) : badRequest(c)
    }
    const { payee, amount, currency, externalId, payerMessage, payeeNote } = read.data
    if (OTHER_PARTIES.includes(payee.partyIdType)) return unknown(c, payee.partyIdType)
    if (payee.partyIdType !== 'MSISDN' || !MSISDN.test(payee.partyId) || hundredths(amount) === 0)
      return badRequest(c)
    const callbackUrl = c.req.header('x-callback-url') ?? null
    if (callbackUrl !== null && !isAt(callbackUrl, deps.callbackHost()))
      return refuse(c, 'INVALID_CALLBACK_URL_HOST')
    if (currency !== deps.currency) return refuse(c, 'INVALID_CURRENCY')
    if (state.transfers.has(reference.data)) return refuse(c, 'RESOURCE_ALREADY_EXIST')
    const fate = fateOf(payee.partyId)
    if (fate.kind === 'refused') return refuse(c, fate.code)

    const transfer: Transfer = {
      reference: reference.data,
      amount: hundredths(amount),
      msisdn: payee.partyId,
      takenAt: clock.now(),
      status: fate.kind === 'delayed' ? 'CREATED' : 'PENDING',
      reason: null,
      financialTransactionId: null,
      decidedAt: fate.kind === 'delayed' ? clock.now() + DELAY_MS : null,
      isCalledBack: false,
      ...{ currency, externalId, payerMessage, payeeNote, callbackUrl },
    }
    state.transfers.set(transfer.reference, transfer)
    if (transfer.decidedAt !== null) letTimePassAt(transfer.decidedAt)
    if (fate.kind === 'succeeds') decide(transfer, null)
    if (fate.kind === 'fails') decide(transfer, fate.reason)
    if (waitsForCallbacks) await callbacks.settled()
    return c.body(null, 202)
  })
  app.get('/disbursement/v1_0/transfer/:reference', (c) => {
    const { data } = uuid.safeParse(c.req.param('reference'))
    if (data === undefined) return badRequest(c)
    const transfer = state.transfers.get(data)
    return transfer ? c.json(shown(transfer)) : refuse(c, 'RESOURCE_NOT_FOUND')
  })
  app.get('/disbursement/v1_0/account/balance', (c) =>
    c.json({ availableBalance: units(state.balance), currency: deps.currency }),
  )
  app.get('/disbursement/v1_0/accountholder/:type/:id/active', (c) => {
    const { type, id } = c.req.param()
    if (type.toLowerCase() !== 'msisdn') return unknown(c)
    if (!MSISDN.test(id)) return badRequest(c)
    const holder = holderOf(id)
    if (holder === 'active' || holder === 'inactive') return c.json({ result: holder === 'active' })
    return refuse(c, holder)
  })
  app.get('/disbursement/v1_0/accountholder/:type/:id/basicuserinfo', (c) => {
    const { type, id } = c.req.param()
    if (type.toLowerCase() !== 'msisdn') return unknown(c)
    if (!MSISDN.test(id)) return badRequest(c)
    const holder = holderOf(id)
    if (holder === 'inactive') return refuse(c, 'RESOURCE_NOT_FOUND')
    if (holder !== 'active') return refuse(c, holder)
    return c.json({
      ...nameOf(id),
      birthdate: '1976-08-13',
      locale: 'fr_GN',
      gender: 'MALE',
      status: 'ACTIVE',
    })
  })
  app.all('/disbursement/*', (c) => unknown(c))

  return {
    app,
    reset() {
      callbacks.stop()
      state = emptyState(deps)
      waitsForCallbacks = false
    },
    transfers: () => structuredClone([...state.transfers.values()]),
    balance: () => state.balance / 100,
    fill(amount) {
      state.balance += Math.round(amount * 100)
    },
    decide(reference, reason) {
      const transfer = state.transfers.get(reference)
      if (transfer && !isDecided(transfer)) decide(transfer, reason)
    },
    forgetReasons() {
      for (const transfer of state.transfers.values()) transfer.reason = null
    },
    endTokens: () => state.tokens.clear(),
    callbacksFirst(isOn) {
      waitsForCallbacks = isOn
    },
    settled: () => callbacks.settled(),
    dump: () =>
      structuredClone({
        tokens: [...state.tokens],
        transfers: [...state.transfers.values()],
        balance: state.balance,
      }),
    load(dump) {
      callbacks.stop()
      const { tokens, transfers, balance } = structuredClone(dump)
      state = {
        tokens: new Map(tokens),
        transfers: new Map(transfers.map((transfer) => [transfer.reference, transfer])),
        balance,
      }
      for (const transfer of state.transfers.values()) {
        if (isDecided(transfer)) callBack(transfer)
        if (transfer.decidedAt !== null) letTimePassAt(transfer.decidedAt)
      }
    },
  }
}

const isDecided = ({ status }: Transfer) => status === 'SUCCESSFUL' || status === 'FAILED'

const emptyState = ({ openingBalance }: MtnDeps): State => ({
  tokens: new Map(),
  transfers: new Map(),
  balance: Math.round(openingBalance * 100),
})

/** As the state and a callback tell it. MTN writes 12.50 as '12.5'. */
const shown = (transfer: Transfer) => ({
  amount: units(transfer.amount),
  currency: transfer.currency,
  ...(transfer.financialTransactionId && { financialTransactionId: transfer.financialTransactionId }),
  externalId: transfer.externalId,
  payee: { partyIdType: 'MSISDN', partyId: transfer.msisdn },
  payerMessage: transfer.payerMessage,
  payeeNote: transfer.payeeNote,
  status: transfer.status,
  ...(transfer.reason && { reason: transfer.reason }),
})

const hundredths = (amount: string) => Math.round(Number(amount) * 100)
const units = (amount: number) => String(amount / 100)

/** MTN wants https; this takes http too, for servers of one's own machine. */
function isAt(address: string, host: string): boolean {
  const url = URL.parse(address)
  return /^https?:$/.test(url?.protocol ?? '') && (url?.hostname === host || url?.host === host)
}
