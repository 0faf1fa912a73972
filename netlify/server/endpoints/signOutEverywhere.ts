import { Timestamp } from 'firebase-admin/firestore'
import { SECOND } from '../../../domain/common/duration.ts'
import { ok, type Result } from '../../../domain/common/result.ts'
import { deletePushSubscriptions } from '../accounts/pushSubscriptions.ts'
import type { CallerSession } from '../platform/caller.ts'
import type { Context } from '../platform/context.ts'
import { users } from '../platform/records.ts'
import type { FunctionRefusal } from '../platform/refusals.ts'

/**
 * Ends every session of the caller. The profile stores the instant, so that existing tokens are refused
 * immediately. A token that is already signed out changes nothing, so a stolen one can't sign the user out
 * again. @throws when the sign-in service refuses or does not answer; calling again is safe.
 */
export async function signOutEverywhere(
  context: Context,
  { uid, issuedAt }: CallerSession,
): Promise<Result<object, FunctionRefusal<'sign-out-everywhere'>>> {
  const { accounts, now } = context
  const account = await accounts.find(uid)
  if (account && issuedAt >= account.validSince) {
    // Delete the push subscriptions first, because this token is refused once the sessions have ended.
    await deletePushSubscriptions(context, uid)
    const at = now()
    await accounts.endSessions(uid, at)
    // Whole seconds, as in tokens: a user who signs in again within the same second is let in.
    const sessionsSince = Timestamp.fromMillis(Math.floor(at / SECOND) * SECOND)
    const profile = users(context.db).doc(uid)
    if ((await profile.get()).exists) await profile.update({ sessionsSince })
  }
  return ok({})
}
