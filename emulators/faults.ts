import type { HttpBindings } from '@hono/node-server'
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import type { Context, MiddlewareHandler } from 'hono'
import { z } from 'zod'
import { KEPT_FAULT, type KeptFault } from './emulator.ts'
import type { Signing } from './stripe/webhooks.ts'

const ms = z.number().int().min(0).max(600_000)

/** What can go wrong with a call to a hosted service or a function. */
const callFault = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('delay'), ms }),
  /** Answered without doing the work; the message is what Identity Toolkit's clients read the reason from. */
  z.strictObject({
    kind: z.literal('status'),
    status: z.number().int().min(400).max(599),
    message: z.string().optional(),
    /** Stripe keeps the answer under the request's idempotency key, as it keeps the first one, whatever it is. */
    kept: z.boolean().optional(),
  }),
  /** Answered with this in the place of the service's own answer; `done`: after the work, otherwise without it. */
  z.strictObject({
    kind: z.literal('answer'),
    status: z.number().int().min(200).max(599),
    body: z.string(),
    done: z.boolean(),
  }),
  /** Firestore gives up a commit because of another one; the SDK tries the whole transaction again, up to five times. */
  z.strictObject({ kind: z.literal('abort') }),
  /** Firestore refuses a query because its index is missing. */
  z.strictObject({ kind: z.literal('noIndex') }),
  /** The connection breaks before the work is done. */
  z.strictObject({ kind: z.literal('cutBefore') }),
  /** The work is done, the answer is lost. */
  z.strictObject({ kind: z.literal('cutAfter') }),
  /** The connection breaks when this share of the request's body has arrived, from 0 to 1. Nothing of it counts. */
  z.strictObject({ kind: z.literal('cutDuring'), share: z.number().min(0).max(1) }),
])

/** What can go wrong with one webhook, all tries of its delivery included. */
const webhookFault = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('lost') }),
  /** Several deliveries at once. */
  z.strictObject({ kind: z.literal('doubled'), copies: z.number().int().min(2).max(9).default(3) }),
  z.strictObject({ kind: z.literal('late'), ms }),
  /** Delivered after the webhook that comes next, or after two seconds without one. */
  z.strictObject({ kind: z.literal('reordered') }),
  /** Signed with another secret. */
  z.strictObject({ kind: z.literal('badSignature') }),
  /** Signed at a time that far from now: in the future, or in the past with a negative number. */
  z.strictObject({ kind: z.literal('signedAt'), offsetSeconds: z.number().int() }),
])

const WEBHOOK = 'webhook'

const times = z.int().min(1)
const after = z.int().min(0).optional()

/**
 * `on`: the start of 'METHOD /path', as the request line has it, for example 'POST /v1/payment_intents'; or of
 * 'webhook event.type'. `times`: how many calls or webhooks it hits before it is used up.
 * `after`: how many that match pass before the first one that it hits; none when left out.
 */
export const faultSchema = z.union([
  z.strictObject({ on: z.string().regex(/^webhook( |$)/), times, after, what: webhookFault }),
  z.strictObject({ on: z.string().regex(/^[A-Z]+ \//), times, after, what: callFault }),
])

export type Fault = z.input<typeof faultSchema>

/** Faults that a test or a person switches on; each one hits what matches until it is used up. */
export function createFaults() {
  let waiting: { fault: z.output<typeof faultSchema>; left: number; passing: number }[] = []
  let held: (() => void) | undefined

  const take = (line: string) => {
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
    const what = take(`${c.req.method} ${new URL(c.req.url).pathname}`)
    switch (what?.kind) {
      case 'delay':
        await pause(what.ms)
        return next()
      case 'status': {
        const { status, message = 'A fault of the sandbox', kept = false } = what
        if (kept) {
          c.set(KEPT_FAULT, { status, message } satisfies KeptFault)
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
        return c.json(googleError(409, 'ABORTED', 'Too much contention on these documents.'), 409)
      case 'noIndex': {
        const message =
          'The query requires an index. You can create it here: https://console.firebase.google.com'
        // A streamed answer is a list, its errors included.
        return c.json([googleError(400, 'FAILED_PRECONDITION', message)], 400)
      }
      case 'cutBefore':
        return cut(c)
      case 'cutAfter':
        await next()
        return cut(c)
      case 'cutDuring':
        await untilArrived(c, what.share)
        return cut(c)
      default:
        return next()
    }
  }

  /** A webhook that waits for the next one goes after it. */
  const letGo = () => {
    held?.()
    held = undefined
  }
  const deliver = async (
    event: { readonly type: string },
    send: (signing?: Signing) => Promise<void>,
  ): Promise<void> => {
    const what = take(`${WEBHOOK} ${event.type}`)
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
        letGo()
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
    letGo()
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
      letGo()
    },
  }
}

async function untilArrived(c: Context, share: number) {
  const wanted = share * Number(c.req.header('content-length') ?? 0)
  let arrived = 0
  for await (const piece of c.req.raw.body ?? []) {
    arrived += piece.length
    if (arrived >= wanted) return
  }
}

export type Faults = ReturnType<typeof createFaults>

const pause = (milliseconds: number) => new Promise<void>((resolve) => setTimeout(resolve, milliseconds))

const googleError = (code: number, status: string, message: string) => ({ error: { code, message, status } })

function cut(c: Context) {
  ;(c.env as HttpBindings).incoming.socket.destroy()
  return RESPONSE_ALREADY_SENT
}
