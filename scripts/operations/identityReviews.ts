import { type DocumentData, FieldValue, type QueryDocumentSnapshot } from 'firebase-admin/firestore'
import * as v from 'valibot'
import {
  checkIdentityForm,
  type IdentityDetails,
  type IdentityFieldProblem,
  type IdentityFile,
  type IdentityItem,
} from '../../domain/account/identity.ts'
import { buildIdentityFileSchema, submittedIdentitySchema } from '../../domain/account/identitySchema.ts'
import { err, ok, type Result } from '../../domain/common/result.ts'
import { ValidationError } from '../../domain/common/schema.ts'
import { queryPendingIdentities } from '../../netlify/server/accounts/identityQueue.ts'
import type { Context } from '../../netlify/server/platform/context.ts'
import { createCollectionParser, instantSchema } from '../../netlify/server/platform/documents.ts'
import { iterateDuePages } from '../../netlify/server/platform/duePages.ts'
import { deletions, files } from '../../netlify/server/platform/records.ts'
import { CommandError } from './commandError.ts'

export interface IdentitySubmission {
  readonly uid: string
  readonly file: IdentityFile
  readonly details: IdentityDetails
  readonly fileType: string
  /** In the project's own bucket; null if the record names no document of its user. */
  readonly path: string | null
}

/** `item`: the rejected part; null for everything. */
export type IdentityDecision =
  | { readonly status: 'approved' }
  | { readonly status: 'rejected'; readonly item: IdentityItem | null; readonly reason: string }

const parseOwner = createCollectionParser(
  'files',
  v.object({ userId: v.string(), category: v.literal('identity') }),
)
const parseFile = createCollectionParser('files', buildIdentityFileSchema(instantSchema))
const parseDetails = createCollectionParser('files', submittedIdentitySchema)

function parseSubmission(id: string, data: DocumentData): IdentitySubmission {
  const { userId: uid } = parseOwner(data)
  const { fileName: _, fileSize: __, fileType, downloadUrl, ...details } = parseDetails(data)
  const name = downloadUrl.split('?')[0]?.split(`/o/identity%2F${uid}%2F`)[1]
  const path = name && /^[\w-]+$/.test(name) ? `identity/${uid}/${name}` : null
  return { uid, file: parseFile({ ...data, id }), details, fileType, path }
}

export async function findIdentitySubmission(
  { db }: Pick<Context, 'db'>,
  id: string,
): Promise<IdentitySubmission | null> {
  const data = (await files(db).doc(id).get()).data()
  return data ? parseSubmission(id, data) : null
}

/** Oldest first, without deleted accounts. An unreadable document is listed with its error. */
export async function listPendingIdentities({
  db,
}: Pick<Context, 'db'>): Promise<
  readonly { readonly id: string; readonly submission: Result<IdentitySubmission, string> }[]
> {
  const pending: { id: string; submission: Result<IdentitySubmission, string> }[] = []
  for await (const page of iterateDuePages(queryPendingIdentities(db)))
    for (const { document } of page) pending.push({ id: document.id, submission: tryParse(document) })
  return pending
}

function tryParse(document: QueryDocumentSnapshot): Result<IdentitySubmission, string> {
  try {
    return ok(parseSubmission(document.id, document.data()))
  } catch (error) {
    if (error instanceof ValidationError) return err(error.message)
    throw error
  }
}

const WHY_NOT_APPROVED: Readonly<Record<IdentityFieldProblem['kind'], string>> = {
  required: 'a detail is missing',
  dateInvalid: 'a date is impossible',
  expired: 'this document has expired',
  notBorn: 'the date of birth is in the future',
}

/**
 * Also replaces an earlier decision. Repeating is safe. Returns the submission as it was.
 * @throws CommandError if nothing was changed
 */
export function decideIdentity(
  { db, now }: Pick<Context, 'db' | 'now'>,
  id: string,
  decision: IdentityDecision,
): Promise<IdentitySubmission> {
  return db.runTransaction(async (tx) => {
    const stored = await tx.get(files(db).doc(id))
    const data = stored.data()
    const refuse = (why: string) => new CommandError(`Nothing was changed: ${why}.`)
    if (!data) throw refuse('there is no submission with this ID')
    const submission = parseSubmission(id, data)
    if ((await tx.get(deletions(db).doc(submission.uid))).exists)
      throw refuse('the account is deleted, and its document is only kept for the law')
    const { status } = decision
    const checked = checkIdentityForm(submission.details, now())
    if (status === 'approved' && !checked.ok)
      throw refuse([...new Set(checked.error.map(({ kind }) => WHY_NOT_APPROVED[kind]))].join(', '))
    const isRejected = decision.status === 'rejected'
    tx.update(stored.ref, {
      status,
      rejectedItem: (isRejected && decision.item) || FieldValue.delete(),
      rejectionReason: isRejected ? decision.reason : FieldValue.delete(),
    })
    return submission
  })
}
