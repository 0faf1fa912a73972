import { Timestamp } from 'firebase-admin/firestore'
import { SECOND } from '../../../domain/common/duration.ts'
import { ok, type Result } from '../../../domain/common/result.ts'
import type { Session } from '../platform/caller.ts'
import type { Context } from '../platform/context.ts'
import { deletePushSubscriptions } from '../platform/pushSubscriptions.ts'
import { users } from '../platform/records.ts'
import type { FunctionRefusal } from '../platform/refusals.ts'

/**
 * Ends every session of the caller, including this one: no device can renew its token. The profile stores the
 * instant, so that the security rules and the functions refuse existing tokens immediately. A call with a
 * token that is already signed out changes nothing, so it can be repeated, and a stolen token can't sign the
 * user out again. @throws when the sign-in service refuses or does not answer; calling again is safe.
 */
export async function signOutEverywhere(
  context: Context,
  { uid, issuedAt }: Session,
): Promise<Result<object, FunctionRefusal<'sign-out-everywhere'>>> {
  const { accounts, now } = context
  const account = await accounts.find(uid)
  if (account && issuedAt >= account.validSince) {
    // Delete the push subscriptions first, because this token is refused once the sessions have ended.
    // Devices of an ended session are not notified anyway.
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
