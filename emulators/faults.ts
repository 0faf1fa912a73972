import type { HttpBindings } from '@hono/node-server'
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import type { Context, MiddlewareHandler } from 'hono'
import * as v from 'valibot'
import { buildGoogleError, STORED_FAULT_KEY, type StoredFault } from './emulator.ts'
import type { SignatureOverride } from './stripe/webhooks.ts'

const integer = (least: number, most = Number.MAX_SAFE_INTEGER) =>
  v.pipe(v.number(), v.safeInteger(), v.minValue(least), v.maxValue(most))

const ms = integer(0, 600_000)

const callFault = v.variant('kind', [
  v.strictObject({ kind: v.literal('delay'), ms }),
  /** Identity Toolkit's clients read the code of an error from `message`. */
  v.strictObject({
    kind: v.literal('status'),
    status: integer(400, 599),
    message: v.optional(v.string()),
    /** Whether Stripe stores the error under the idempotency key. */
    kept: v.optional(v.boolean()),
  }),
  /** `done`: the work is done first. */
  v.strictObject({
    kind: v.literal('answer'),
    status: integer(200, 599),
    body: v.string(),
    done: v.boolean(),
  }),
  /** The SDK retries the transaction up to five times. */
  v.strictObject({ kind: v.literal('abort') }),
  v.strictObject({ kind: v.literal('noIndex') }),
  v.strictObject({ kind: v.literal('cutBefore') }),
  /** The work is done, but the response is lost. */
  v.strictObject({ kind: v.literal('cutAfter') }),
  /** Share (0 to 1) of the request body; the server discards the request. */
  v.strictObject({ kind: v.literal('cutDuring'), share: v.pipe(v.number(), v.minValue(0), v.maxValue(1)) }),
])

const webhookFault = v.variant('kind', [
  v.strictObject({ kind: v.literal('lost') }),
  /** Stripe delivers the event several times concurrently. */
  v.strictObject({ kind: v.literal('doubled'), copies: v.optional(integer(2, 9), 3) }),
  v.strictObject({ kind: v.literal('late'), ms }),
  /** Delivered after the next webhook, or after two seconds if none follows. */
  v.strictObject({ kind: v.literal('reordered') }),
  v.strictObject({ kind: v.literal('badSignature') }),
  /** Negative means in the past. */
  v.strictObject({ kind: v.literal('signedAt'), offsetSeconds: v.pipe(v.number(), v.safeInteger()) }),
])

const WEBHOOK = 'webhook'

const times = integer(1)
const after = v.optional(integer(0))

/** `on`: a prefix of 'METHOD /path', or of 'webhook event.type'. `after`: how many matches pass first. */
export const faultSchema = v.union([
  v.strictObject({ on: v.pipe(v.string(), v.regex(/^webhook( |$)/)), times, after, what: webhookFault }),
  v.strictObject({ on: v.pipe(v.string(), v.regex(/^[A-Z]+ \//)), times, after, what: callFault }),
])

export type Fault = v.InferInput<typeof faultSchema>

/** Each fault hits matching calls until it is used up. */
export function createFaults() {
  let waiting: { fault: v.InferOutput<typeof faultSchema>; left: number; passing: number }[] = []
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
      const read = v.parse(faultSchema, fault)
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

function cutConnection(c: Context) {
  ;(c.env as HttpBindings).incoming.socket.destroy()
  return RESPONSE_ALREADY_SENT
}
