import type { Transaction } from 'firebase-admin/firestore'
import { getIdentityState } from '../../../domain/account/identity.ts'
import { checkIdentityApproved, isIdentityRequired } from '../../../domain/account/identityLimit.ts'
import { buildIdentityFileSchema } from '../../../domain/account/identitySchema.ts'
import { err, ok, type Result } from '../../../domain/common/result.ts'
import { queryIdentities } from '../accounts/identityQueue.ts'
import type { Context } from '../platform/context.ts'
import { createCollectionParser, instantSchema } from '../platform/documents.ts'
import { buildIdentityRequiredRefusal, type Refusal } from '../platform/refusals.ts'

const parseFile = createCollectionParser('files', buildIdentityFileSchema(instantSchema))

/**
 * Reads inside the transaction that reserves, so that a reviewer's decision and a new transfer see each
 * other. `monthCents`: with the new transfer, in EUR cents. `at`: UTC ms.
 * @throws Firestore's error, or a ValidationError; nothing may begin then.
 */
export async function checkIdentityLimit(
  { db, identityLimitCents }: Pick<Context, 'db' | 'identityLimitCents'>,
  tx: Transaction,
  { uid, monthCents, at }: { readonly uid: string; readonly monthCents: number; readonly at: number },
): Promise<Result<void, Refusal<'identityRequired'>>> {
  if (!isIdentityRequired(monthCents, identityLimitCents)) return ok(undefined)
  const { docs } = await tx.get(queryIdentities(db, uid))
  const files = docs.map((file) => parseFile({ ...file.data(), id: file.id }))
  const approved = checkIdentityApproved(getIdentityState(files, at), identityLimitCents)
  return approved.ok ? approved : err(buildIdentityRequiredRefusal(approved.error))
}
