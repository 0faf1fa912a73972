import { FieldValue } from 'firebase-admin/firestore'
import { acceptsSignIn } from '../../../domain/account/ownership.ts'
import { err, ok } from '../../../domain/common/result.ts'
import type { VerifyCaller } from '../platform/caller.ts'
import type { Context } from '../platform/context.ts'
import { parseKnownKeys, parseOwnership, users } from '../platform/records.ts'
import { buildRefusal } from '../platform/refusals.ts'
import { buildPersonKeys } from './persons.ts'

/**
 * Refuses callers whose profile does not accept their sign-in. An account without a profile has no data, so
 * it is refused only if its address is not verified. Stores the token's new keys, so that a person's keys
 * never get fewer. @throws when the token or the profile can't be read, which says nothing about the caller.
 */
export function createCallerVerifier({
  verifySession,
  db,
  pseudonym,
}: Pick<Context, 'verifySession' | 'db' | 'pseudonym'>): VerifyCaller {
  return async (authorization) => {
    const session = await verifySession(authorization)
    if (!session.ok) return session
    const { uid, isUnverified } = session.value
    const profile = await users(db).doc(uid).get()
    const isOpen = profile.exists
      ? acceptsSignIn(parseOwnership(profile.data()), session.value)
      : !isUnverified
    if (!isOpen) return err(buildRefusal('emailUnverified'))
    if (!profile.exists) return session
    const knownKeys = parseKnownKeys(profile.data())
    const caller = { ...session.value, knownKeys }
    const added = buildPersonKeys({ pseudonym }, caller).filter(
      (key) => key !== uid && !knownKeys.includes(key),
    )
    if (added.length > 0) await profile.ref.update({ knownKeys: FieldValue.arrayUnion(...added) })
    return ok(caller)
  }
}
