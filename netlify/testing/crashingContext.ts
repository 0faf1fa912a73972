import type { PayoutContext } from '../server/payouts/payoutContext.ts'
import { createPayouts } from '../server/payouts/payouts.ts'

export type CrashMoment = 'before' | 'after'

/** Crashes before the `crashStep`th awaited step, or after it with the answer lost. Later steps throw. */
export function createCrashingContext(context: PayoutContext, crashStep: number, when: CrashMoment) {
  const life = { stepCount: 0, hasCrashed: false }
  const step = <A extends unknown[], R>(work: (...args: A) => Promise<R>) => {
    return async (...args: A): Promise<R> => {
      if (life.hasCrashed) throw new Error('dead')
      life.stepCount += 1
      const last = life.stepCount === crashStep
      if (last && when === 'before') {
        life.hasCrashed = true
        throw new Error('died before')
      }
      const result = await work(...args).finally(() => {
        if (last) life.hasCrashed = true
      })
      if (last) throw new Error('died after')
      return result
    }
  }
  /** Wraps a list method. Like Stripe's own lists, the result can be awaited, or iterated over all pages. */
  const stepList = <A extends unknown[]>(list: (...args: A) => Promise<unknown> & AsyncIterable<unknown>) => {
    return (...args: A) => {
      let items: AsyncIterable<unknown>
      const firstPage = step(() => {
        const listed = list(...args)
        items = listed
        return listed
      })()
      return Object.assign(firstPage, {
        async *[Symbol.asyncIterator]() {
          await firstPage
          yield* items
        },
      })
    }
  }
  const stepping = <T extends object>(target: T): T =>
    new Proxy(target, {
      get(object, name) {
        const value = Reflect.get(object, name)
        if (typeof value !== 'function') return value
        return name === 'list' ? stepList(value.bind(object)) : step(value.bind(object))
      },
    })
  const { db, stripe } = context
  const providers = context.providers.map(({ api, ...provider }) => ({
    ...provider,
    api: api && stepping(api),
  }))
  const crashingContext: PayoutContext = {
    ...context,
    providers,
    payouts: context.payouts && createPayouts({ ...context, providers }),
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
  return { context: crashingContext, life }
}

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
