import { err, ok, type Result } from '../../../domain/result.ts'
import type { Session } from './caller.ts'
import { type Context, withTimeout } from './context.ts'
import { type Problem, problem, tooManyRequests } from './problems.ts'
import { type Limit, takeTurn } from './rateLimits.ts'

/**
 * What one person may ask of each function in ten minutes: several times what the app does for somebody in a hurry with
 * two devices, and together so little of the provider's quota that nobody misses it. The calls of one person to one
 * function are admitted one after the other, so they come in no bursts either. Every function that somebody signs in for
 * has its line.
 */
const CALLS: Readonly<Record<string, { readonly most: number; readonly beginsPayment?: true }>> = {
  'create-payment-intent': { most: 60, beginsPayment: true },
  'pay-invoice': { most: 60, beginsPayment: true },
  // The app asks about an open payment after 2, 4, 8 … 60 seconds, in each of its tabs.
  'record-transfer': { most: 100 },
  'cancel-payment-intent': { most: 60 },
  'lookup-invoice': { most: 60 },
  // Each of these makes up to six requests to the provider.
  'create-subscription': { most: 20, beginsPayment: true },
  'change-card': { most: 20, beginsPayment: true },
  'cancel-subscription': { most: 20 },
  // Asked again every few seconds while the way back from a checkout waits for the plan.
  'verify-subscription': { most: 100 },
  'confirm-address': { most: 20 },
  'delete-account': { most: 20 },
  'sign-out-everywhere': { most: 20 },
}

/** The limit of a function for one person. @throws when it has none. */
export function limitOf(name: string): Limit {
  const calls = CALLS[name]
  if (!calls) throw new Error(`How often may one person call ${name}?`)
  return { name: `calls/${name}`, most: calls.most, windowMs: 10 * 60_000 }
}

/**
 * Whether somebody may call a function now: not too often, and where a payment or a plan begins, with an account that is in
 * order. Nothing is done before.
 *
 * @throws when the count or the account can't be read in time; then nobody is admitted.
 */
export async function admit(context: Context, name: string, caller: Session): Promise<Result<void, Problem>> {
  const [turn, standing] = await withTimeout(
    context,
    Promise.all([
      takeTurn(context, [{ limit: limitOf(name), of: caller.uid }]),
      CALLS[name]?.beginsPayment ? standingOf(context, caller) : ok(undefined),
    ]),
  )
  return turn.ok ? standing : err(tooManyRequests(turn.error.waitMs))
}

/** A token outlives what happens to its account, for an hour at most: so the sign-in service is asked. */
async function standingOf({ accounts }: Context, { uid, issuedAt }: Session): Promise<Result<void, Problem>> {
  const account = await accounts.find(uid)
  if (!account) return err(problem('userNotFound'))
  if (account.isDisabled) return err(problem('paymentsPaused'))
  // The same second counts as after, as it does for the sign-in service.
  return issuedAt < account.validSince ? err(problem('unauthenticated')) : ok(undefined)
}
