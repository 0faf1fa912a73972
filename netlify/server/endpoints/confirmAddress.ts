import { FieldValue, Timestamp } from 'firebase-admin/firestore'
import { maskEmail } from '../../../domain/account/email.ts'
import { getConfirmationMethod } from '../../../domain/account/ownership.ts'
import type { FunctionRequest } from '../../../domain/api/api.ts'
import { SECOND } from '../../../domain/common/duration.ts'
import { err, ok, type Result } from '../../../domain/common/result.ts'
import { isAddressProof } from '../accounts/addressLink.ts'
import { findPresentAddress } from '../accounts/formerAddress.ts'
import type { AccountRecord } from '../platform/accounts.ts'
import type { CallerSession } from '../platform/caller.ts'
import type { Context } from '../platform/context.ts'
import { parseOwnership, parseSoleMethod, users } from '../platform/records.ts'
import { buildRefusal, type FunctionRefusal } from '../platform/refusals.ts'

/**
 * Confirms that the verified address of the caller's account belongs to its owner.
 *
 * A user who signed up with someone else's address may have signed in by a phone or a Google account, and may
 * have unlinked it since. So every other sign-in method is removed and all sessions end; the user signs in
 * again (`signInAgain`) and calls again. If someone else may have created the account, their name and number
 * are removed too, unless an earlier address was confirmed.
 *
 * A phone's account is confirmed by that phone and the `proof` from a mailed link. If the owner of the
 * address signs in to it by another method, they remove the address with `notMine`.
 *
 * @throws when a hosted service fails; calling again is safe after any step.
 */
export async function confirmAddress(
  context: Context,
  session: CallerSession,
  { another, proof, notMine }: FunctionRequest<'confirm-address'> = {},
): Promise<Result<{ signInAgain: boolean }, FunctionRefusal<'confirm-address'>>> {
  const { db, accounts, now, log } = context
  const { uid, issuedAt, signedInAt, way } = session
  const ref = users(db).doc(uid)
  const [profile, account] = await Promise.all([ref.get(), accounts.find(uid)])
  if (!account || issuedAt < account.validSince) return err(buildRefusal('unauthenticated'))
  if (!profile.exists) return err(buildRefusal('userNotFound'))
  const { verifiedAddress: address, signInMethods, validSince } = account
  // An older token does not show who has verified the address since.
  if (address === null || session.email !== address) return err(buildRefusal('emailUnverified'))
  const ownership = parseOwnership(profile.data())
  if (ownership.verifiedAddress === address) return ok({ signInAgain: false })

  const confirming = getConfirmationMethod(ownership, { address, signInMethods }, way)
  if (confirming === 'phone' && way !== 'phone' && notMine) {
    await releaseAddress(context, account, { uid, address, email: profile.get('email') })
    return ok({ signInAgain: true })
  }
  if (confirming !== way)
    return err(buildRefusal('otherWayIn', { details: { way: confirming === 'phone' ? 'phone' : 'address' } }))
  // A phone does not prove who owns a mailbox, unlike a new password or a Google account.
  if (confirming === 'phone' && !(proof && isAddressProof(context, { uid, address }, proof)))
    return err(buildRefusal('emailUnverified'))
  const before = ownership.verifiedAddress
  // Only the owner of the phone can have linked anything to the phone's account.
  if (confirming !== 'phone') {
    const others = signInMethods.map((one) => one.way).filter((one) => one !== confirming)
    const isCreator = hasCreatedAccount(account, session)
    const sole = parseSoleMethod(profile.data())
    const isSole = isCreator || (sole?.way === way && signedInAt >= sole.since)
    if (others.length > 0 || !isSole) {
      const since = Math.floor(now() / SECOND) * SECOND
      await accounts.unlinkSignInMethods(uid, others, since)
      await ref.update({
        soleMethod: { way, since: Timestamp.fromMillis(since) },
        ...(before === null && !isCreator && { name: '', phone: null }),
      })
      if (others.length > 0) log({ level: 'info', event: 'signInMethodsRemoved', methods: others })
      return ok({ signInAgain: true })
    }
  }
  if (before === null && ownership.madeWith === 'address' && !another) {
    const present = await findPresentAddress(context, uid, address)
    if (present !== null)
      return err(buildRefusal('formerAddress', { details: { address: maskEmail(present) } }))
  }
  // Tokens of ended sessions stay valid for up to an hour. The caller's own session may be older than the end
  // of the others, as after a password change.
  const since = Math.min(validSince, signedInAt)
  await ref.update({
    verifiedAddress: address,
    ...(before !== null && {
      formerAddresses: listFormerAddresses(profile.get('formerAddresses'), before, address),
    }),
    sessionsSince: Timestamp.fromMillis(since),
    soleMethod: FieldValue.delete(),
    // The profile could not be changed until now, so its number is the one entered at sign-up.
    ...(profile.get('madeWith') === 'address' && before === null && { phone: null }),
  })
  return ok({ signInAgain: false })
}

const CREATION_TIME = 2 * SECOND

/** Whether this session is the first one, or was opened by the password that created the account. */
const hasCreatedAccount = (
  { createdAt, passwordSince }: AccountRecord,
  { way, signedInAt }: Pick<CallerSession, 'way' | 'signedInAt'>,
): boolean =>
  signedInAt - createdAt < CREATION_TIME ||
  (way === 'password' && passwordSince !== null && passwordSince - createdAt < CREATION_TIME)

/** Changes the profile first: if the process ends in between, the owner calls again. */
async function releaseAddress(
  { db, accounts, now, log }: Context,
  { signInMethods }: AccountRecord,
  { uid, address, email }: { readonly uid: string; readonly address: string; readonly email: unknown },
): Promise<void> {
  if (email === address) await users(db).doc(uid).update({ email: null })
  const ways = signInMethods.map(({ way }) => way).filter((way) => way !== 'phone')
  await accounts.removeAddress(uid, ways, now())
  log({ level: 'info', event: 'addressReleased', methods: ways })
}

function listFormerAddresses(known: unknown, before: string, present: string): string[] {
  const others = Array.isArray(known) ? known : []
  return [...new Set([...others, before])].filter((one) => one !== present)
}
