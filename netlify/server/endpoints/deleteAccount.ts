import type { Query, QueryDocumentSnapshot, WriteBatch } from 'firebase-admin/firestore'
import { MINUTE } from '../../../domain/common/duration.ts'
import { err, ok, type Result } from '../../../domain/common/result.ts'
import { maskPhone } from '../../../domain/numbers/phone.ts'
import { getActivePlan } from '../../../domain/prices/plans.ts'
import { mapSenderTexts, SENDER_TEXTS } from '../../../domain/transfers/shapes/fields.ts'
import { closeIdentityReviews } from '../accounts/identityQueue.ts'
import { deletePushSubscriptions } from '../accounts/pushSubscriptions.ts'
import { removeSavedCards } from '../payments/savedCards.ts'
import { endCheckout, expireOpenPages } from '../plans/checkouts.ts'
import { syncPlan } from '../plans/plans.ts'
import type { CallerSession } from '../platform/caller.ts'
import type { Context } from '../platform/context.ts'
import { type Deletion, parseCustomer, type Refund } from '../platform/documents.ts'
import { iteratePages } from '../platform/duePages.ts'
import {
  attempts,
  customers,
  deletions,
  invoicePayments,
  parseSubscription,
  refunds,
  transactions,
  unreleasedAttempts,
  users,
} from '../platform/records.ts'
import { buildRefusal, type FunctionRefusal } from '../platform/refusals.ts'

/** How long after signing in the owner may delete the account. The sign-in service has the same limit. */
const RECENT = 5 * MINUTE

const UNPAID = ['due', 'failing', 'pending', 'unfunded'] satisfies Refund['status'][]

/** Directive (EU) 2015/849, article 40, counted from the end of the business relationship. */
const YEARS_KEPT = 5

/**
 * Deletes the caller's account. Transfers and their evidence stay. If the caller has ever paid, sealed
 * identity files and names stay until the legal term ends. Refused while a payment is open, money is owed or
 * a plan is active. The decision is one transaction; another call or the due-work job can complete the rest.
 *
 * @throws when a hosted service fails; calling again is safe.
 */
export async function deleteAccount(
  context: Context,
  caller: CallerSession,
): Promise<Result<{ outcome: 'deleted' }, FunctionRefusal<'delete-account'>>> {
  const { db } = context
  const isDecided = (await deletions(db).doc(caller.uid).get()).exists
  const decided = isDecided ? ok(undefined) : await decide(context, caller)
  if (!decided.ok) return decided
  await carryOut(context, caller.uid)
  return ok({ outcome: 'deleted' })
}

async function decide(
  context: Context,
  caller: CallerSession,
): Promise<Result<void, FunctionRefusal<'delete-account'>>> {
  const { db, accounts, now } = context
  const { uid } = caller
  if (now() - caller.signedInAt > RECENT) return err(buildRefusal('recentSignInRequired'))
  const account = await accounts.find(uid)
  if (!account || caller.issuedAt < account.validSince) return err(buildRefusal('unauthenticated'))

  // A plan paid in another tab a moment ago may not have caused a webhook yet.
  await endCheckout(context, uid)
  await syncPlan(context, uid)

  const createdAt = now()
  const deletion = deletions(db).doc(uid)
  const user = users(db).doc(uid)
  const payer = customers(db).doc(uid)
  return db.runTransaction(async (tx): Promise<Result<void, FunctionRefusal<'delete-account'>>> => {
    const [earlier, profile, customer] = await tx.getAll(deletion, user, payer)
    if (earlier?.exists) return ok(undefined)
    // A payment or a checkout that begins now reads the profile, so one of the two transactions sees the
    // other.
    if (parseCustomer(customer)?.checkout) return err(buildRefusal('paymentOpen'))
    const open = [
      attempts(db).where('uid', '==', uid).where('status', '==', 'reserved'),
      refunds(db).where('uid', '==', uid).where('status', 'in', UNPAID),
    ]
    for (const query of open)
      if (!(await tx.get(query.limit(1))).empty) return err(buildRefusal('paymentOpen'))
    const subscription = parseSubscription(profile?.data())
    if (subscription.status === 'active' && getActivePlan(subscription, createdAt))
      return err(buildRefusal('planRunning'))
    const isPayer = !(await tx.get(queryPaid(context, uid))).empty
    const name = String(profile?.get('name') ?? '') || null
    const decision: Deletion = {
      ...{ uid, status: 'due', createdAt },
      ...(isPayer && { payer: { name, address: account.address, phone: account.phone } }),
    }
    tx.create(deletion, decision)
    tx.delete(user)
    return ok(undefined)
  })
}

/** Deletes what is left of an account. Repeating is safe. Returns whether documents are kept. */
async function carryOut(context: Context, uid: string): Promise<boolean> {
  const { db, accounts, identityDocuments } = context
  // Without the submission, the rules refuse further documents.
  await db.doc(`submissions/${uid}`).delete()
  const isKept = !(await queryPaid(context, uid).get()).empty
  if (isKept) {
    await closeIdentityReviews(context, uid)
    await identityDocuments.sealAll(uid)
  } else await removeProofs(context, uid)
  await removeOwn(context, 'contacts', uid)
  await deletePushSubscriptions(context, uid)
  await expireOpenPages(context, uid)
  await removeSavedCards(context, uid)
  await accounts.remove(uid)
  return isKept
}

const queryPaid = ({ db }: Context, uid: string): Query => unreleasedAttempts(db, uid).limit(1)

async function removeProofs(context: Context, uid: string): Promise<void> {
  const { db } = context
  await context.identityDocuments.removeAll(uid)
  await removeOwn(context, 'files', uid)
  const texts = { senderName: null, ...mapSenderTexts(() => null) }
  await updateAll(context, transactions(db).where('senderId', '==', uid), (transfer) => ({
    ...texts,
    recipientPhone: maskPhone(transfer.get('recipientPhone')),
  }))
  await updateAll(context, db.collection('deliveries').where('uid', '==', uid), (order) => ({
    ...texts,
    phone: maskPhone(order.get('phone')),
    screening: null,
  }))
  await updateAll(context, invoicePayments(db).where('payerId', '==', uid), () => ({ payerName: null }))
  await updateAll(context, attempts(db).where('uid', '==', uid), (attempt) => ({
    payerName: null,
    ...(attempt.get('kind') === 'transfer' && {
      ...Object.fromEntries(SENDER_TEXTS.map((name) => [`transfer.${name}`, null])),
      'transfer.phone': maskPhone(attempt.get('transfer.phone')),
    }),
  }))
}

const updateAll = (
  context: Context,
  query: Query,
  change: (document: QueryDocumentSnapshot) => Record<string, unknown>,
): Promise<void> =>
  writeAll(context, query, (batch, document) => batch.update(document.ref, change(document)))

const removeOwn = (context: Context, collection: 'contacts' | 'files', uid: string): Promise<void> =>
  writeAll(context, context.db.collection(collection).where('userId', '==', uid), (batch, { ref }) =>
    batch.delete(ref),
  )

async function writeAll(
  { db }: Context,
  query: Query,
  write: (batch: WriteBatch, document: QueryDocumentSnapshot) => void,
): Promise<void> {
  for await (const documents of iteratePages(query)) {
    const batch = db.batch()
    for (const document of documents) write(batch, document)
    await batch.commit()
  }
}

/** How long a token of a deleted account may stay valid: its hour, and the difference between clocks. */
export const MAX_TOKEN_LIFETIME = 65 * MINUTE

/** Until the last token has expired another device may write something, so the decision stays until then. */
export async function continueDeletion(context: Context, { uid, createdAt }: Deletion): Promise<string> {
  const isLast = context.now() - createdAt > MAX_TOKEN_LIFETIME
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

/** Deletes the proofs once the legal term has ended. Repeating is safe. */
export async function deleteRetainedDocuments(context: Context, uid: string): Promise<string> {
  await removeProofs(context, uid)
  await deletions(context.db).doc(uid).delete()
  return 'deleted'
}

function keptUntil(createdAt: number): number {
  const date = new Date(createdAt)
  return date.setUTCFullYear(date.getUTCFullYear() + YEARS_KEPT)
}
