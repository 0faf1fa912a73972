import type { PayoutContext } from '../server/payouts/payoutContext.ts'
import { createPayouts } from '../server/payouts/payouts.ts'

export type Moment = 'before' | 'after'

/**
 * A context whose process dies at one of its awaited steps: before the step is done, or after it with the answer
 * lost. Nothing that the process would have done later happens.
 */
export function crashAt(context: PayoutContext, diesAt: number, when: Moment) {
  const life = { steps: 0, dead: false }
  const step = <A extends unknown[], R>(work: (...args: A) => Promise<R>) => {
    return async (...args: A): Promise<R> => {
      if (life.dead) throw new Error('dead')
      life.steps += 1
      const last = life.steps === diesAt
      if (last && when === 'before') {
        life.dead = true
        throw new Error('died before')
      }
      const result = await work(...args).finally(() => {
        if (last) life.dead = true
      })
      if (last) throw new Error('died after')
      return result
    }
  }
  const stepping = <T extends object>(target: T): T =>
    new Proxy(target, {
      get(object, name) {
        const value = Reflect.get(object, name)
        return typeof value === 'function' ? step(value.bind(object)) : value
      },
    })
  const { db, stripe, push } = context
  const providers = context.providers.map(({ api, ...provider }) => ({
    ...provider,
    api: api && stepping(api),
  }))
  const mortalContext: PayoutContext = {
    ...context,
    providers,
    payouts: context.payouts && createPayouts({ providers, push }),
    stripe: new Proxy(stripe, {
      get: (object, name) => {
        const value = Reflect.get(object, name)
        if (name === 'checkout') return { sessions: stepping(value.sessions) }
        return typeof name === 'string' && RESOURCES.has(name) ? stepping(value) : value
      },
    }),
    db: new Proxy(db, {
      get(object, name) {
        const value = Reflect.get(object, name)
        if (typeof value !== 'function') return value
        return name === 'runTransaction' ? step(value.bind(object)) : value.bind(object)
      },
    }),
  }
  return { context: mortalContext, life }
}

/** What the functions call at the provider. */
const RESOURCES: ReadonlySet<string> = new Set([
  'paymentIntents',
  'charges',
  'refunds',
  'customers',
  'subscriptions',
  'setupIntents',
  'invoices',
  'prices',
])
