import { fromPromise } from 'xstate'
import { err, ok } from '../../domain/common/result.ts'
import { cancelPlan } from '../../domain/prices/plans.ts'
import { PLAN_REFUSALS, type PlanProblem, subscriptionMachine } from '../../machines/subscription.ts'
import { toFailure } from '../browser/failure.ts'
import { getStoredLanguage } from '../browser/storedLanguage.ts'
import { pickRefusal } from './pickRefusal.ts'

const loadService = () => import('../services/subscriptions.ts')
const loadFresh = () => import('./refreshPlan.ts')
const loadPlans = () => import('../cache/plans.ts')

export const subscriptionLogic = subscriptionMachine.provide({
  actors: {
    startCheckout: fromPromise(async ({ input: { uid, tier } }) => {
      try {
        const url = await (await loadService()).createPlanCheckout(uid, tier, getStoredLanguage())
        return url === null ? err({ kind: 'noCheckoutUrl' as const }) : ok({ url })
      } catch (error) {
        return err(toFinalProblem(error) ?? rethrow(error))
      }
    }),

    startCardChange: fromPromise(async ({ input: { subscriptionId } }) => {
      try {
        return ok({
          url: await (await loadService()).createCardChangeCheckout(subscriptionId, getStoredLanguage()),
        })
      } catch (error) {
        return err(toFinalProblem(error) ?? rethrow(error))
      }
    }),

    leaveFor: fromPromise(({ input: { url } }) => {
      location.assign(url)
      return new Promise(() => undefined)
    }),

    verify: fromPromise(async ({ input: { uid, sessionId } }) => {
      try {
        const checkout = await (await loadService()).fetchCheckoutStatus(sessionId)
        if (!checkout.success && checkout.status === 'declined') return err({ kind: 'cardDeclined' as const })
        if (!checkout.success && checkout.status === 'unconfirmed')
          return err({ kind: 'cardUnconfirmed' as const })
        if (!checkout.success)
          return ok({ outcome: checkout.status === 'open' ? ('open' as const) : ('over' as const) })
        return ok({ outcome: 'active' as const, subscription: await (await loadFresh()).refreshPlan(uid) })
      } catch (error) {
        return err(toFinalProblem(error, { kind: 'verifyFailed' }) ?? rethrow(error))
      }
    }),

    cancel: fromPromise(async ({ input: { uid, subscriptionId } }) => {
      try {
        const cancelAt = await (await loadService()).cancelSubscription(subscriptionId)
        return ok(await (await loadPlans()).updateStoredPlan(uid, (stored) => cancelPlan(stored, cancelAt)))
      } catch (error) {
        return err(toFinalProblem(error) ?? rethrow(error))
      }
    }),

    refresh: fromPromise(async ({ input: { uid } }) => (await loadFresh()).refreshPlan(uid)),
  },
})

/** Null when a retry may help. */
function toFinalProblem(error: unknown, ofNothing: PlanProblem | null = null): PlanProblem | null {
  const failure = toFailure(error)
  if (failure.kind !== 'function') return null
  const isNothing = ['checkoutNotFound', 'forbidden', 'invalidRequest'].includes(failure.code)
  return pickRefusal(failure, PLAN_REFUSALS) ?? (isNothing ? ofNothing : null)
}

function rethrow(error: unknown): never {
  throw error
}
