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

export interface Fault {
  /** Start of 'METHOD /path', as the request line has it; for example 'POST /v1/payment_intents'. */
  readonly on: string
  /** How many calls it hits before it is used up. */
  readonly times: number
  readonly what: FaultKind
}

/** Faults that a test or a person switches on; each one hits matching calls until it is used up. */
export function createFaults() {
  let waiting: { fault: Fault; left: number }[] = []
  const middleware: MiddlewareHandler = async (c, next) => {
    const line = `${c.req.method} ${new URL(c.req.url).pathname}`
    const hit = waiting.find(({ fault, left }) => left > 0 && line.startsWith(fault.on))
    if (!hit) return next()
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
    }
  }
  return {
    middleware,
    add(fault: Fault) {
      waiting.push({ fault, left: fault.times })
    },
    pending: () =>
      waiting.filter(({ left }) => left > 0).map(({ fault, left }) => ({ ...fault, times: left })),
    reset() {
      waiting = []
    },
  }
}

function cut(c: Context) {
  ;(c.env as HttpBindings).incoming.socket.destroy()
  return RESPONSE_ALREADY_SENT
}
