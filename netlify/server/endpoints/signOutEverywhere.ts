import { ok, type Result } from '../../../domain/result.ts'
import type { Session } from '../platform/caller.ts'
import type { Context } from '../platform/context.ts'
import { endSubscriptions } from '../platform/pushSubscriptions.ts'
import type { RefusalBy } from '../platform/refusals.ts'

/**
 * Ends every session of the caller, this one too: no device can renew its token any more. One that has a token keeps it
 * until it expires, an hour at most: it reads and asks, but no payment and no plan begins with it (`admission.ts`).
 *
 * Whoever was signed out already changes nothing: so the call can be repeated, and a stolen token signs nobody out again.
 *
 * @throws when the sign-in service refuses or does not answer; calling again is safe.
 */
export async function signOutEverywhere(
  context: Context,
  { uid, issuedAt }: Session,
): Promise<Result<object, RefusalBy<'sign-out-everywhere'>>> {
  const { accounts, now } = context
  const account = await accounts.find(uid)
  if (account && issuedAt >= account.validSince) {
    // Before, because afterwards this token can't ask again. Nobody is told by a session that has ended in any case.
    await endSubscriptions(context, uid)
    await accounts.endSessions(uid, now())
  }
  return ok({})
}
