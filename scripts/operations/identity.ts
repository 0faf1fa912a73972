import { IDENTITY_ITEMS, sanitizeReason } from '../../domain/account/identity.ts'
import type { Result } from '../../domain/common/result.ts'
import { IDENTITY_CAUSES } from '../../domain/payouts/deliveryOrder.ts'
import type { PayoutContext } from '../../netlify/server/payouts/payoutContext.ts'
import { releaseVelocityHolds } from '../../netlify/server/payouts/velocity.ts'
import type { Context } from '../../netlify/server/platform/context.ts'
import type { PaymentContext } from '../../netlify/server/platform/payouts.ts'
import { showActions } from './actions.ts'
import { CommandError } from './commandError.ts'
import { createExportFile } from './exportFile.ts'
import { formatTime } from './format.ts'
import {
  decideIdentity,
  findIdentitySubmission,
  type IdentityDecision,
  type IdentitySubmission,
  listPendingIdentities,
} from './identityReviews.ts'

/** Oldest first. */
export async function listIdentities(context: Context): Promise<readonly string[]> {
  const pending = await listPendingIdentities(context)
  if (pending.length === 0) return ['No document waits for a decision.']
  return [
    `Documents that wait for a decision: ${pending.length}.`,
    ...pending.map(({ id, submission }) => `${id}: ${describePending(submission)}.`),
  ]
}

function describePending(submission: Result<IdentitySubmission, string>): string {
  if (!submission.ok) return `can't be read (${submission.error}). Look at it in Firebase, Firestore, files`
  const { uid, file, details } = submission.value
  return `${details.idType} of user ${uid}, handed in at ${formatTime(file.createdAt)}`
}

export async function showIdentity(context: PaymentContext, id: string): Promise<readonly string[]> {
  const submission = await findIdentitySubmission(context, id)
  if (!submission) return [`There is no submission ${id}: check that the ID is complete.`]
  const actions = await showActions(context, id)
  return [...describeSubmission(submission), ...actions]
}

/** @throws CommandError if the file can't be created or the storage has no such document. */
export async function exportIdentity(context: Context, id: string, path: string): Promise<readonly string[]> {
  const submission = await findIdentitySubmission(context, id)
  const content = submission?.path && (await context.identityDocuments.read(submission.path))
  if (!content) throw new CommandError('The storage has no document of this submission.')
  createExportFile(path)(content)
  return describeSubmission(submission)
}

function describeSubmission({ uid, file, details, fileType, path }: IdentitySubmission): string[] {
  const { status, rejectedItem, rejectionReason } = file
  const rejected = `${rejectedItem ?? 'everything'}, because: ${rejectionReason}`
  return [
    `${file.id} was handed in by user ${uid} at ${formatTime(file.createdAt)}.`,
    `It is ${status}${status === 'rejected' ? ` (${rejected})` : ''}.`,
    `Name: ${details.fullName}. Born: ${details.dateOfBirth}.`,
    `Document: ${details.idType} ${details.idNumber}, issued by ${details.issuedBy}, expires ${details.expirationDate}.`,
    `Its file is ${path ? `${path} in the bucket` : 'missing'} (${fileType}).`,
  ]
}

/** Releases transfers held only for it. @throws CommandError if nothing was changed; repeating is safe. */
export async function approveIdentity(context: PayoutContext, id: string): Promise<readonly string[]> {
  const lines = await decide(context, id, { status: 'approved' })
  const uid = (await findIdentitySubmission(context, id))?.uid
  // The document belongs to the account, not to the person.
  const payments = uid
    ? await releaseVelocityHolds(context, uid, { lifted: IDENTITY_CAUSES, onlyOwn: true })
    : []
  return [...lines, ...payments.map((payment) => `${payment} no longer waits for a document.`)]
}

/** The user sees `reason`. @throws CommandError if nothing was changed. */
export function rejectIdentity(
  context: Context,
  id: string,
  { reason: typed, item: named }: { readonly reason: string; readonly item: string | undefined },
): Promise<readonly string[]> {
  const item = IDENTITY_ITEMS.find((one) => one === named) ?? null
  if (named !== undefined && item === null)
    throw new CommandError(`ITEM is one of: ${IDENTITY_ITEMS.join(', ')}. Without it everything is rejected.`)
  const reason = sanitizeReason(typed)
  if (reason === '') throw new CommandError('TEXT must tell the user why.')
  return decide(context, id, { status: 'rejected', item, reason })
}

async function decide(context: Context, id: string, decision: IdentityDecision): Promise<readonly string[]> {
  const { uid, details } = await decideIdentity(context, id, decision)
  return [`The ${details.idType} of user ${uid} is ${decision.status}.`]
}
