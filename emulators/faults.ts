import type { HttpBindings } from '@hono/node-server'
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import type { Context, MiddlewareHandler } from 'hono'
import { z } from 'zod'
import { STORED_FAULT_KEY, type StoredFault } from './emulator.ts'
import type { SignatureOverride } from './stripe/webhooks.ts'

const ms = z.number().int().min(0).max(600_000)

/** A fault of one call to a hosted service or a function. */
const callFault = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('delay'), ms }),
  /**
   * Responds with an error instead of doing the work. Identity Toolkit's clients read its code from
   * `message`.
   */
  z.strictObject({
    kind: z.literal('status'),
    status: z.number().int().min(400).max(599),
    message: z.string().optional(),
    /**
     * Whether Stripe's emulator stores the error under the idempotency key, so that a retry gets it again.
     */
    kept: z.boolean().optional(),
  }),
  /** Replaces the service's response; with `done`, the work is done first. */
  z.strictObject({
    kind: z.literal('answer'),
    status: z.number().int().min(200).max(599),
    body: z.string(),
    done: z.boolean(),
  }),
  /** Firestore aborts a commit because of a conflict; the SDK retries the transaction up to five times. */
  z.strictObject({ kind: z.literal('abort') }),
  z.strictObject({ kind: z.literal('noIndex') }),
  z.strictObject({ kind: z.literal('cutBefore') }),
  /** The work is done, but the response is lost. */
  z.strictObject({ kind: z.literal('cutAfter') }),
  /** The connection breaks after this share (0 to 1) of the request body; the server discards the request. */
  z.strictObject({ kind: z.literal('cutDuring'), share: z.number().min(0).max(1) }),
])

/** A fault of one webhook, including its retries. */
const webhookFault = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('lost') }),
  /** Stripe delivers the event several times concurrently. */
  z.strictObject({ kind: z.literal('doubled'), copies: z.number().int().min(2).max(9).default(3) }),
  z.strictObject({ kind: z.literal('late'), ms }),
  /** Delivered after the next webhook, or after two seconds if none follows. */
  z.strictObject({ kind: z.literal('reordered') }),
  z.strictObject({ kind: z.literal('badSignature') }),
  /** Signed with a timestamp this far from now; negative means in the past. */
  z.strictObject({ kind: z.literal('signedAt'), offsetSeconds: z.number().int() }),
])

const WEBHOOK = 'webhook'

const times = z.int().min(1)
const after = z.int().min(0).optional()

/**
 * `on`: a prefix of 'METHOD /path', for example 'POST /v1/payment_intents', or of 'webhook event.type'.
 * `times`: how many matching calls or webhooks the fault hits before it is used up.
 * `after`: how many matching calls or webhooks pass first; 0 by default.
 */
export const faultSchema = z.union([
  z.strictObject({ on: z.string().regex(/^webhook( |$)/), times, after, what: webhookFault }),
  z.strictObject({ on: z.string().regex(/^[A-Z]+ \//), times, after, what: callFault }),
])

export type Fault = z.input<typeof faultSchema>

/**
 * Creates a list of faults, to which tests and the sandbox page add. Each hits matching calls until it is
 * used up.
 */
export function createFaults() {
  let waiting: { fault: z.output<typeof faultSchema>; left: number; passing: number }[] = []
  let held: (() => void) | undefined

  const takeFault = (line: string) => {
    const hit = waiting.find(({ fault, left }) => left > 0 && line.startsWith(fault.on))
    if (!hit) return undefined
    if (hit.passing > 0) {
      hit.passing -= 1
      return undefined
    }
    hit.left -= 1
    return hit.fault.what
  }

  const middleware: MiddlewareHandler = async (c, next) => {
    const what = takeFault(`${c.req.method} ${new URL(c.req.url).pathname}`)
    switch (what?.kind) {
      case 'delay':
        await pause(what.ms)
        return next()
      case 'status': {
        const { status, message = 'A fault of the sandbox', kept = false } = what
        if (kept) {
          c.set(STORED_FAULT_KEY, { status, message } satisfies StoredFault)
          return next()
        }
        const errors = [{ message, domain: 'global', reason: 'invalid' }]
        return c.json({ error: { code: status, message, errors } }, status as 500)
      }
      case 'answer':
        if (what.done) await next()
        c.res = new Response(what.body || null, {
          status: what.status,
          headers: { 'content-type': 'application/json' },
        })
        return
      case 'abort':
        return c.json(buildGoogleError(409, 'ABORTED', 'Too much contention on these documents.'), 409)
      case 'noIndex': {
        const message =
          'The query requires an index. You can create it here: https://console.firebase.google.com'
        // A streamed response is a list, errors included.
        return c.json([buildGoogleError(400, 'FAILED_PRECONDITION', message)], 400)
      }
      case 'cutBefore':
        return cutConnection(c)
      case 'cutAfter':
        await next()
        return cutConnection(c)
      case 'cutDuring':
        await waitForBodyShare(c, what.share)
        return cutConnection(c)
      default:
        return next()
    }
  }

  /** Sends the webhook that a `reordered` fault holds back. */
  const releaseHeldWebhook = () => {
    held?.()
    held = undefined
  }
  const deliver = async (
    event: { readonly type: string },
    send: (signing?: SignatureOverride) => Promise<void>,
  ): Promise<void> => {
    const what = takeFault(`${WEBHOOK} ${event.type}`)
    switch (what?.kind) {
      case 'lost':
        return
      case 'doubled':
        await Promise.all(Array.from({ length: what.copies }, () => send()))
        break
      case 'late':
        await pause(what.ms)
        await send()
        break
      case 'reordered':
        releaseHeldWebhook()
        await Promise.race([new Promise<void>((resolve) => (held = resolve)), pause(2000)])
        return send()
      case 'badSignature':
        await send({ secret: 'whsec_somebody_else' })
        break
      case 'signedAt':
        await send({ offsetSeconds: what.offsetSeconds })
        break
      default:
        await send()
    }
    releaseHeldWebhook()
  }

  return {
    middleware,
    deliver,
    add(fault: Fault) {
      const read = faultSchema.parse(fault)
      waiting.push({ fault: read, left: read.times, passing: read.after ?? 0 })
    },
    pending: () =>
      waiting.filter(({ left }) => left > 0).map(({ fault, left }) => ({ ...fault, times: left })),
    reset() {
      waiting = []
      releaseHeldWebhook()
    },
  }
}

async function waitForBodyShare(c: Context, share: number) {
  const wanted = share * Number(c.req.header('content-length') ?? 0)
  let arrived = 0
  for await (const piece of c.req.raw.body ?? []) {
    arrived += piece.length
    if (arrived >= wanted) return
  }
}

export type Faults = ReturnType<typeof createFaults>

const pause = (milliseconds: number) => new Promise<void>((resolve) => setTimeout(resolve, milliseconds))

const buildGoogleError = (code: number, status: string, message: string) => ({
  error: { code, message, status },
})

function cutConnection(c: Context) {
  ;(c.env as HttpBindings).incoming.socket.destroy()
  return RESPONSE_ALREADY_SENT
}
