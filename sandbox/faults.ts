import type { HttpBindings } from '@hono/node-server'
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import type { Context, MiddlewareHandler } from 'hono'

export type FaultKind =
  | { kind: 'delay'; ms: number }
  /** Answered without doing the work; the message is what Identity Toolkit's clients read the reason from. */
  | { kind: 'status'; status: number; message?: string }
  /** The connection breaks before the work is done. */
  | { kind: 'cutBefore' }
  /** The work is done, the answer is lost. */
  | { kind: 'cutAfter' }
  /** The connection breaks when this share of the request's body has arrived, from 0 to 1. Nothing of it counts. */
  | { kind: 'cutDuring'; share: number }

export interface Fault {
  /** Start of 'METHOD /path', as the request line has it; for example 'POST /v1/payment_intents'. */
  readonly on: string
  /** How many calls it hits before it is used up. */
  readonly times: number
  /** How many matching calls pass before the first one that it hits; none when left out. */
  readonly after?: number
  readonly what: FaultKind
}

/** Faults that a test or a person switches on; each one hits matching calls until it is used up. */
export function createFaults() {
  let waiting: { fault: Fault; left: number; passing: number }[] = []
  const middleware: MiddlewareHandler = async (c, next) => {
    const line = `${c.req.method} ${new URL(c.req.url).pathname}`
    const hit = waiting.find(({ fault, left }) => left > 0 && line.startsWith(fault.on))
    if (!hit) return next()
    if (hit.passing > 0) {
      hit.passing -= 1
      return next()
    }
    hit.left -= 1
    const { what } = hit.fault
    switch (what.kind) {
      case 'delay':
        await new Promise((resolve) => setTimeout(resolve, what.ms))
        return next()
      case 'status': {
        const { status, message = 'A fault of the sandbox' } = what
        const errors = [{ message, domain: 'global', reason: 'invalid' }]
        return c.json({ error: { code: status, message, errors } }, status as 500)
      }
      case 'cutBefore':
        return cut(c)
      case 'cutAfter':
        await next()
        return cut(c)
      case 'cutDuring':
        await untilArrived(c, what.share)
        return cut(c)
    }
  }
  return {
    middleware,
    add(fault: Fault) {
      waiting.push({ fault, left: fault.times, passing: fault.after ?? 0 })
    },
    pending: () =>
      waiting.filter(({ left }) => left > 0).map(({ fault, left }) => ({ ...fault, times: left })),
    reset() {
      waiting = []
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

function cut(c: Context) {
  ;(c.env as HttpBindings).incoming.socket.destroy()
  return RESPONSE_ALREADY_SENT
}
