import { MINUTE } from '../../../domain/duration.ts'
import { activePlan } from '../../../domain/plans.ts'
import { err, ok, type Result } from '../../../domain/result.ts'
import { removeCards } from '../payments/savedCards.ts'
import { endCheckout } from '../plans/checkouts.ts'
import { syncPlan } from '../plans/plans.ts'
import type { Session } from '../platform/caller.ts'
import type { Context } from '../platform/context.ts'
import { type Deletion, parseCustomer } from '../platform/documents.ts'
import { endSubscriptions } from '../platform/pushSubscriptions.ts'
import { attempts, customers, deletions, refunds, subscriptionOf, users } from '../platform/records.ts'
import { type RefusalBy, refusal } from '../platform/refusals.ts'

/** How long after a sign-in its owner may delete the account, in milliseconds; as the sign-in service has it. */
const RECENT = 5 * MINUTE

const PAGE_SIZE = 100

/**
 * How long the law on money laundering has the documents kept that prove who paid: five years after the business
 * relationship has ended (Directive (EU) 2015/849, article 40).
 */
const YEARS_KEPT = 5

/**
 * Deletes the caller's account: profile, contacts, the devices that are told, the cards that the provider keeps for them, and the way in. Transfers and what proves them stay, under an id that leads
 * to nobody. Identity files go too, unless the caller has ever paid: then they are sealed, and go when the law lets them. Refused while a payment is open, money is owed or a plan runs on. A checkout that is open
 * ends first, whether or not the account can go then.
 *
 * The decision is one database transaction; what follows is done by whoever comes next, the same call again or the sweep,
 * should this process end before it is through.
 *
 * @throws when a hosted service fails; the decision stands or not, and calling again is safe.
 */
export async function deleteAccount(
  context: Context,
  caller: Session,
): Promise<Result<{ outcome: 'deleted' }, RefusalBy<'delete-account'>>> {
  const { db } = context
  const isDecided = (await deletions(db).doc(caller.uid).get()).exists
  const decided = isDecided ? ok(undefined) : await decide(context, caller)
  if (!decided.ok) return decided
  await carryOut(context, caller.uid)
  return ok({ outcome: 'deleted' })
}

async function decide(context: Context, caller: Session): Promise<Result<void, RefusalBy<'delete-account'>>> {
  const { db, accounts, now } = context
  const { uid } = caller
  if (now() - caller.signedInAt > RECENT) return err(refusal('recentSignInRequired'))
  const account = await accounts.find(uid)
  if (!account || caller.issuedAt < account.validSince) return err(refusal('unauthenticated'))

  // Who has paid in another tab a moment ago has a plan that no news may have come of yet.
  await endCheckout(context, uid)
  await syncPlan(context, uid)

  const createdAt = now()
  const deletion = deletions(db).doc(uid)
  const user = users(db).doc(uid)
  const payer = customers(db).doc(uid)
  return db.runTransaction(async (tx): Promise<Result<void, RefusalBy<'delete-account'>>> => {
    const [known, profile, customer] = await tx.getAll(deletion, user, payer)
    if (known?.exists) return ok(undefined)
    // A payment or a checkout that begins meanwhile reads the profile: one of the two transactions sees the other.
    if (parseCustomer(customer)?.checkout) return err(refusal('paymentOpen'))
    const open = [
      attempts(db).where('uid', '==', uid).where('status', '==', 'reserved'),
      refunds(db).where('uid', '==', uid).where('status', '==', 'due'),
    ]
    for (const query of open) if (!(await tx.get(query.limit(1))).empty) return err(refusal('paymentOpen'))
    const subscription = subscriptionOf(profile?.data())
    if (subscription.status === 'active' && activePlan(subscription, createdAt))
      return err(refusal('planRunning'))
    const decision: Deletion = { uid, status: 'due', createdAt }
    tx.create(deletion, decision)
    tx.delete(user)
    return ok(undefined)
  })
}

/** Deletes what is left of an account whose deletion is decided. Repeating is safe. Answers whether documents are kept. */
async function carryOut(context: Context, uid: string): Promise<boolean> {
  const { db, accounts, identityDocuments } = context
  // Without it no document can be handed in any more.
  await db.doc(`submissions/${uid}`).delete()
  const isKept = await hasPaid(context, uid)
  if (isKept) await identityDocuments.sealAll(uid)
  else await removeIdentity(context, uid)
  await removeOwn(context, 'contacts', uid)
  await endSubscriptions(context, uid)
  await removeCards(context, uid)
  await accounts.remove(uid)
  return isKept
}

async function hasPaid({ db }: Context, uid: string): Promise<boolean> {
  const paid = attempts(db)
    .where('uid', '==', uid)
    .where('status', 'in', ['reserved', 'recorded', 'refunded'])
  return !(await paid.limit(1).get()).empty
}

async function removeIdentity(context: Context, uid: string): Promise<void> {
  await context.identityDocuments.removeAll(uid)
  await removeOwn(context, 'files', uid)
}

/** Of a collection whose documents name their owner as `userId`. */
async function removeOwn({ db }: Context, collection: 'contacts' | 'files', uid: string): Promise<void> {
  const own = db.collection(collection).where('userId', '==', uid).limit(PAGE_SIZE)
  for (let page = await own.get(); !page.empty; page = await own.get()) {
    const batch = db.batch()
    for (const { ref } of page.docs) batch.delete(ref)
    await batch.commit()
  }
}

/** How long somebody may still hold a token of a deleted account: its hour, and what clocks differ by. In milliseconds. */
export const TOKENS_OUTLIVE = 65 * MINUTE

/**
 * Goes on with a decided deletion. Until the last token has expired another device may have written something; after
 * that nothing is left to come, and the decision itself is forgotten, or stays for as long as documents are kept.
 */
export async function goOnDeleting(context: Context, { uid, createdAt }: Deletion): Promise<string> {
  const isLast = context.now() - createdAt > TOKENS_OUTLIVE
  const isKept = await carryOut(context, uid)
  if (!isLast) return 'deleting'
  const decision = deletions(context.db).doc(uid)
  if (!isKept) {
    await decision.delete()
    return 'deleted'
  }
  const kept: Partial<Deletion> = { status: 'kept', checkAt: keptUntil(createdAt) }
  await decision.update(kept)
  return 'documentsKept'
}

/** Deletes what was kept of an account, once the law no longer asks for it. Repeating is safe. */
export async function endKeeping(context: Context, uid: string): Promise<string> {
  await removeIdentity(context, uid)
  await deletions(context.db).doc(uid).delete()
  return 'deleted'
}

function keptUntil(createdAt: number): number {
  const date = new Date(createdAt)
  return date.setUTCFullYear(date.getUTCFullYear() + YEARS_KEPT)
}
