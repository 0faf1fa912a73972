import { MINUTE } from '../../../domain/duration.ts'
import { err, ok, type Result } from '../../../domain/result.ts'
import type { Session } from './caller.ts'
import { type Context, withTimeout } from './context.ts'
import { type Limit, takeTurn } from './rateLimits.ts'
import { type Refusal, refusal, tooManyRequests } from './refusals.ts'
import { type GuardedName, guardedEntry } from './registry.ts'

const WINDOW_MS = 10 * MINUTE

/** How often one person may call a function. */
export const limitOf = (name: GuardedName): Limit => ({
  name: `calls/${name}`,
  most: guardedEntry(name).most,
  windowMs: WINDOW_MS,
})

/**
 * Whether somebody may call a function now: not too often, and where a payment or a plan begins, with an account that is in
 * order. Nothing is done before. The calls of one person to one function are admitted one after the other, so they come in no
 * bursts.
 *
 * @throws when the count or the account can't be read in time; then nobody is admitted.
 */
export async function admit(
  context: Context,
  name: GuardedName,
  caller: Session,
): Promise<Result<void, NotInOrder | Refusal<'tooManyRequests'>>> {
  const [turn, standing] = await withTimeout(
    context,
    Promise.all([
      takeTurn(context, [{ limit: limitOf(name), of: caller.uid }]),
      guardedEntry(name).beginsPayment ? standingOf(context, caller) : ok(undefined),
    ]),
  )
  return turn.ok ? standing : err(tooManyRequests(turn.error.waitMs))
}

type NotInOrder = Refusal<'userNotFound' | 'paymentsPaused' | 'unauthenticated'>

/** A token outlives what happens to its account, for an hour at most: so the sign-in service is asked. */
async function standingOf(
  { accounts }: Context,
  { uid, issuedAt }: Session,
): Promise<Result<void, NotInOrder>> {
  const account = await accounts.find(uid)
  if (!account) return err(refusal('userNotFound'))
  if (account.isDisabled) return err(refusal('paymentsPaused'))
  // The same second counts as after, as it does for the sign-in service.
  return issuedAt < account.validSince ? err(refusal('unauthenticated')) : ok(undefined)
}
