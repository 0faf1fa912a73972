import { randomInt } from 'node:crypto'
import { type Context, Hono } from 'hono'
import * as v from 'valibot'
import type { Clock, ReportUnknown } from '../emulator.ts'
import { createSecret } from '../emulator.ts'
import { createCallbackSender, type DeliverCallback } from './callbacks.ts'
import {
  respondWithBadRequest,
  respondWithGatewayError,
  respondWithMtnError,
  respondWithUnauthorized,
} from './errors.ts'
import type { MtnState, MtnTransfer } from './state.ts'
import { getHolderName, getHolderStatus, getTransferOutcome } from './testNumbers.ts'

export type { MtnTransfer } from './state.ts'
export { formatTestNumber, MTN_TEST_NUMBERS } from './testNumbers.ts'

import { listUnknownKeys } from '../unknownKeys.ts'

export interface MtnOptions {
  readonly clock: Clock
  readonly reportUnknown: ReportUnknown
  readonly subscriptionKey: string
  /** 'sandbox' in MTN's sandbox, elsewhere the name of the country's service. */
  readonly targetEnvironment: string
  /** MTN's sandbox supports EUR only. */
  readonly currency: string
  readonly apiUser: string
  readonly apiKey: string
  /** Read at each use, because it may be unknown until a server listens. */
  readonly callbackHost: () => string
  /** In units of the currency. */
  readonly openingBalance: number
  readonly deliver?: DeliverCallback
}

export type MtnEmulator = ReturnType<typeof createMtnEmulator>

const TOKEN_SECONDS = 3600
/** MTN's sandbox takes about 25 seconds. */
const DELAY_MS = 30_000

const uuid = v.pipe(v.string(), v.uuid(), v.regex(/^.{14}4/))

// MTN names special characters, such as apostrophes, as a reason for a 400.
const note = v.optional(v.pipe(v.string(), v.maxLength(160), v.regex(/^[^'"<>&]*$/)), '')

/** MTN also allows other types of parties. */
const transferBody = v.strictObject({
  amount: v.pipe(v.string(), v.regex(/^\d+(\.\d{1,2})?$/)),
  currency: v.pipe(v.string(), v.regex(/^[A-Z]{3}$/)),
  externalId: v.optional(v.pipe(v.string(), v.regex(/^\S*$/)), ''),
  payee: v.strictObject({ partyIdType: v.string(), partyId: v.string() }),
  payerMessage: note,
  payeeNote: note,
})

/** E.164 without the plus sign. */
const MSISDN = /^[1-9]\d{7,14}$/
const OTHER_PARTIES = ['EMAIL', 'PARTY_CODE', 'ALIAS']

/** Emulates MTN Mobile Money's Disbursements API, below `/disbursement`. */
export function createMtnEmulator(deps: MtnOptions) {
  const { clock, reportUnknown } = deps
  let state = createEmptyMtnState(deps)
  const callbacks = createCallbackSender(deps.deliver ?? ((_, send) => send()))

  const unknown = (c: Context, what = '') => {
    const line = `${c.req.method} ${c.req.path} ${what}`.trim()
    reportUnknown('mtn', line)
    return c.json({ message: `The sandbox does not implement this part of MTN: ${line}`, code: '' }, 501)
  }

  function decide(transfer: MtnTransfer, reason: string | null) {
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

  function callBack(transfer: MtnTransfer) {
    if (transfer.callbackUrl === null || transfer.isCalledBack) return
    callbacks.send(transfer.callbackUrl, formatTransfer(transfer), () => {
      transfer.isCalledBack = true
    })
  }

  function letTimePass() {
    for (const transfer of state.transfers.values())
      if (transfer.decidedAt !== null && transfer.decidedAt <= clock.now()) decide(transfer, null)
  }

  /** The callback is sent even if no client calls. */
  function letTimePassAt(due: number) {
    setTimeout(letTimePass, due - clock.now()).unref()
  }

  const app = new Hono()
  app.use('/disbursement/*', async (c, next) => {
    const key = c.req.header('ocp-apim-subscription-key')
    if (key === undefined)
      return respondWithGatewayError(
        c,
        'Access denied due to missing subscription key. Make sure to include subscription key when making requests to an API.',
      )
    if (key !== deps.subscriptionKey)
      return respondWithGatewayError(
        c,
        'Access denied due to invalid subscription key. Make sure to provide a valid key for an active subscription.',
      )
    return next()
  })

  app.post('/disbursement/token/', (c) => {
    const [scheme, credentials = ''] = (c.req.header('authorization') ?? '').split(' ')
    const [id = '', key] = Buffer.from(credentials, 'base64').toString().split(':')
    if (scheme !== 'Basic' || id !== deps.apiUser || key !== deps.apiKey)
      return respondWithUnauthorized(c, 'login_failed')
    const token = createSecret()
    state.tokens.set(token, clock.now() + TOKEN_SECONDS * 1000)
    return c.json({ access_token: token, token_type: 'access_token', expires_in: TOKEN_SECONDS })
  })

  const isSignedIn = (c: Context) => {
    const [, token = ''] = /^Bearer (.+)$/.exec(c.req.header('authorization') ?? '') ?? []
    return clock.now() < (state.tokens.get(token) ?? 0)
  }
  app.use('/disbursement/*', async (c, next) => {
    if (!isSignedIn(c)) return respondWithUnauthorized(c, 'invalid_token')
    if (c.req.header('x-target-environment') !== deps.targetEnvironment)
      return respondWithMtnError(c, 'NOT_ALLOWED_TARGET_ENVIRONMENT')
    letTimePass()
    return next()
  })

  app.post('/disbursement/v1_0/transfer', async (c) => {
    const reference = c.req.header('x-reference-id')
    const { success, output, issues } = v.safeParse(transferBody, await c.req.json().catch(() => undefined))
    if (!v.is(uuid, reference)) return respondWithBadRequest(c)
    if (!success) {
      const odd = listUnknownKeys(issues)
      return odd.length > 0 ? unknown(c, odd.join(', ')) : respondWithBadRequest(c)
    }
    const { payee, amount, currency, externalId, payerMessage, payeeNote } = output
    if (OTHER_PARTIES.includes(payee.partyIdType)) return unknown(c, payee.partyIdType)
    if (payee.partyIdType !== 'MSISDN' || !MSISDN.test(payee.partyId) || toHundredths(amount) === 0)
      return respondWithBadRequest(c)
    const callbackUrl = c.req.header('x-callback-url') ?? null
    if (callbackUrl !== null && !isOnHost(callbackUrl, deps.callbackHost()))
      return respondWithMtnError(c, 'INVALID_CALLBACK_URL_HOST')
    if (currency !== deps.currency) return respondWithMtnError(c, 'INVALID_CURRENCY')
    if (state.transfers.has(reference)) return respondWithMtnError(c, 'RESOURCE_ALREADY_EXIST')
    const fate = getTransferOutcome(payee.partyId)
    if (fate.kind === 'refused') return respondWithMtnError(c, fate.code)

    const transfer: MtnTransfer = {
      reference,
      amount: toHundredths(amount),
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
    return c.body(null, 202)
  })
  app.get('/disbursement/v1_0/transfer/:reference', (c) => {
    const reference = c.req.param('reference')
    if (!v.is(uuid, reference)) return respondWithBadRequest(c)
    const transfer = state.transfers.get(reference)
    return transfer ? c.json(formatTransfer(transfer)) : respondWithMtnError(c, 'RESOURCE_NOT_FOUND')
  })
  app.get('/disbursement/v1_0/account/balance', (c) =>
    c.json({ availableBalance: units(state.balance), currency: deps.currency }),
  )
  app.get('/disbursement/v1_0/accountholder/:type/:id/:question{active|basicuserinfo}', (c) => {
    const { type, id, question } = c.req.param()
    if (type.toLowerCase() !== 'msisdn') return unknown(c)
    if (!MSISDN.test(id)) return respondWithBadRequest(c)
    const holder = getHolderStatus(id)
    if (holder !== 'active' && holder !== 'inactive') return respondWithMtnError(c, holder)
    if (question === 'active') return c.json({ result: holder === 'active' })
    if (holder === 'inactive') return respondWithMtnError(c, 'RESOURCE_NOT_FOUND')
    return c.json({
      ...getHolderName(id),
      birthdate: '1976-08-13',
      locale: 'fr_GN',
      gender: 'MALE',
      status: 'ACTIVE',
    })
  })
  app.all('/disbursement/*', (c) => unknown(c))

  const dumpState = () =>
    structuredClone({ ...state, tokens: [...state.tokens], transfers: [...state.transfers.values()] })

  return {
    app,
    reset() {
      callbacks.stop()
      state = createEmptyMtnState(deps)
    },
    transfers: () => structuredClone([...state.transfers.values()]),
    /** In units of the currency. */
    balance: () => state.balance / 100,
    /** In units of the currency; a negative amount withdraws. */
    addBalance(amount: number) {
      state.balance += Math.round(amount * 100)
    },
    /** Fails a pending transfer, or completes it if `reason` is null. */
    decide(reference: string, reason: string | null) {
      const transfer = state.transfers.get(reference)
      if (transfer && !isDecided(transfer)) decide(transfer, reason)
    },
    removeFailureReasons() {
      for (const transfer of state.transfers.values()) transfer.reason = null
    },
    /** A new API key does this. */
    endTokens: () => state.tokens.clear(),
    settled: () => callbacks.settled(),
    dump: dumpState,
    /** Sends pending callbacks. */
    load(dump: ReturnType<typeof dumpState>) {
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

const isDecided = ({ status }: MtnTransfer) => status === 'SUCCESSFUL' || status === 'FAILED'

const createEmptyMtnState = ({ openingBalance }: MtnOptions): MtnState => ({
  tokens: new Map(),
  transfers: new Map(),
  balance: Math.round(openingBalance * 100),
})

/** MTN writes 12.50 as '12.5'. */
const formatTransfer = (transfer: MtnTransfer) => ({
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

const toHundredths = (amount: string) => Math.round(Number(amount) * 100)
const units = (amount: number) => String(amount / 100)

/** MTN requires https; servers on this machine use http. */
function isOnHost(address: string, host: string): boolean {
  const url = URL.parse(address)
  return /^https?:$/.test(url?.protocol ?? '') && (url?.hostname === host || url?.host === host)
}
