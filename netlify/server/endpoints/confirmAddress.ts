import { Timestamp } from 'firebase-admin/firestore'
import type { RequestOf } from '../../../domain/api.ts'
import { maskEmail } from '../../../domain/email.ts'
import { err, ok, type Result } from '../../../domain/result.ts'
import { wayToConfirm } from '../../../domain/waysIn.ts'
import type { Session } from '../platform/caller.ts'
import type { Context } from '../platform/context.ts'
import { presentAddress } from '../platform/formerAddress.ts'
import { ownershipOf, users } from '../platform/records.ts'
import { type RefusalBy, refusal } from '../platform/refusals.ts'

/**
 * Confirms the verified address of the caller's account, after which it opens the account. Whoever signed up with an
 * address that is not theirs could have linked a phone or a Google account of their own to it: so every way in but the one
 * that proved the address is taken away first, and all sessions end with it. The person signs in once more then
 * (`signInAgain`), and calls again; the address is only confirmed when nothing else is linked. So a process can end between
 * any two steps, and calling again is safe. In an account that was made with a phone it is the phone that confirms, and
 * nothing is taken away.
 *
 * Refuses with `emailUnverified` while the address is not verified. Refuses with `otherWayIn` when the person did not sign in by the
 * way that confirms; `details.way` names it, 'phone' or 'address'. Refuses with `formerAddress` when the account is new and another
 * account had its address before. That one most likely is the same person's: `details.address` is a part of its present address,
 * enough for its owner to know it. The app tells the person, and asks again with `another`.
 *
 * @throws when a hosted service fails; calling again is safe.
 */
export async function confirmAddress(
  context: Context,
  session: Session,
  { another }: RequestOf<'confirm-address'> = {},
): Promise<Result<{ signInAgain: boolean }, RefusalBy<'confirm-address'>>> {
  const { db, accounts, now, log } = context
  const { uid, issuedAt, signedInAt, way } = session
  const ref = users(db).doc(uid)
  const [profile, account] = await Promise.all([ref.get(), accounts.find(uid)])
  if (!account || issuedAt < account.validSince) return err(refusal('unauthenticated'))
  if (!profile.exists) return err(refusal('userNotFound'))
  const { verifiedAddress: address, waysIn, validSince } = account
  // The token too: one from before says nothing about who verified it since.
  if (address === null || session.email !== address) return err(refusal('emailUnverified'))
  const ownership = ownershipOf(profile.data())
  if (ownership.verifiedAddress === address) return ok({ signInAgain: false })

  const confirming = wayToConfirm(ownership, { address, waysIn }, way)
  if (confirming !== way)
    return err(refusal('otherWayIn', { details: { way: confirming === 'phone' ? 'phone' : 'address' } }))
  // What was linked to a phone's account was linked by who comes by that phone.
  const others =
    confirming === 'phone' ? [] : waysIn.map((one) => one.way).filter((one) => one !== confirming)
  if (others.length > 0) {
    await accounts.closeWays(uid, others, now())
    log({ level: 'info', event: 'waysInClosed', ways: others })
    return ok({ signInAgain: true })
  }
  const before = ownership.verifiedAddress
  if (before === null && ownership.madeWith === 'address' && !another) {
    const present = await presentAddress(context, uid, address)
    if (present !== null) return err(refusal('formerAddress', { details: { address: maskEmail(present) } }))
  }
  // A token of a session that was ended lately is still out there for the rest of its hour. The caller's own session may be
  // older than what ended the others, as after a change of the password.
  const since = Math.min(validSince, signedInAt)
  await ref.update({
    verifiedAddress: address,
    ...(before !== null && { formerAddresses: formerlyOf(profile.get('formerAddresses'), before, address) }),
    sessionsSince: Timestamp.fromMillis(since),
    // Nobody could change the profile until now: a number in it is that of whoever signed up.
    ...(profile.get('madeWith') === 'address' && before === null && { phone: null }),
  })
  return ok({ signInAgain: false })
}

/** The addresses that the account had, the last one the latest. */
function formerlyOf(known: unknown, before: string, present: string): string[] {
  const others = Array.isArray(known) ? known : []
  return [...new Set([...others, before])].filter((one) => one !== present)
}
