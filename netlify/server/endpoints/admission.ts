import { MINUTE } from '../../../domain/common/duration.ts'
import { err, ok, type Result } from '../../../domain/common/result.ts'
import type { CallerSession } from '../platform/caller.ts'
import { type Context, withTimeout } from '../platform/context.ts'
import { consumeRateLimits, type RateLimit } from '../platform/rateLimits.ts'
import { buildRefusal, buildTooManyRequestsRefusal, type Refusal } from '../platform/refusals.ts'
import { type GuardedFunctionName, getGuardedEntry } from './registry.ts'

const WINDOW_MS = 10 * MINUTE

export const getCallLimit = (name: GuardedFunctionName): RateLimit => ({
  name: `calls/${name}`,
  most: getGuardedEntry(name).most,
  windowMs: WINDOW_MS,
})

/** @throws when the count or the account can't be read in time; then the call is refused. */
export async function admitCall(
  context: Context,
  name: GuardedFunctionName,
  caller: CallerSession,
): Promise<Result<void, NotInOrder | Refusal<'tooManyRequests'>>> {
  const [turn, standing] = await withTimeout(
    context,
    Promise.all([
      consumeRateLimits(context, [{ limit: getCallLimit(name), of: caller.uid }]),
      getGuardedEntry(name).beginsPayment ? checkStanding(context, caller) : ok(undefined),
    ]),
  )
  return turn.ok ? standing : err(buildTooManyRequestsRefusal(turn.error.waitMs))
}

type NotInOrder = Refusal<'userNotFound' | 'paymentsPaused' | 'unauthenticated'>

/** A token stays valid for up to an hour after its account was disabled or deleted. */
async function checkStanding(
  { accounts }: Context,
  { uid, issuedAt }: CallerSession,
): Promise<Result<void, NotInOrder>> {
  const account = await accounts.find(uid)
  if (!account) return err(buildRefusal('userNotFound'))
  if (account.isDisabled) return err(buildRefusal('paymentsPaused'))
  // A token issued in the same second is still valid at the sign-in service.
  return issuedAt < account.validSince ? err(buildRefusal('unauthenticated')) : ok(undefined)
}
