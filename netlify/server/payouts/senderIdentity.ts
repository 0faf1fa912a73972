import type { Firestore } from 'firebase-admin/firestore'
import * as v from 'valibot'
import { getIdentityState } from '../../../domain/account/identity.ts'
import { buildIdentityFileSchema } from '../../../domain/account/identitySchema.ts'
import { queryIdentities } from '../accounts/identityQueue.ts'
import { instantSchema } from '../platform/documents.ts'
import type { SenderIdentity } from './providers/provider.ts'

const fileSchema = buildIdentityFileSchema(instantSchema)
const textSchema = v.pipe(v.string(), v.nonEmpty())
const detailsSchema = v.object({
  dateOfBirth: v.fallback(v.nullable(textSchema), null),
  idNumber: v.fallback(v.nullable(textSchema), null),
})

/**
 * Reads birth date and document number from the sender's approved document that is valid at `now` (UTC ms).
 * Unreadable documents count as missing, because a payout needs neither.
 *
 * @throws Firestore's error
 */
export async function findSenderIdentity(db: Firestore, uid: string, now: number): Promise<SenderIdentity> {
  const own = await queryIdentities(db, uid).get()
  const files = own.docs.flatMap((document) => {
    const file = v.safeParse(fileSchema, { ...document.data(), id: document.id })
    return file.success ? [file.output] : []
  })
  const state = getIdentityState(files, now)
  if (state.kind !== 'approved') return {}
  const approved = own.docs.find(({ id }) => id === state.file.id)
  const { dateOfBirth, idNumber } = v.parse(detailsSchema, approved?.data())
  return {
    ...(dateOfBirth && { birthDate: dateOfBirth }),
    ...(idNumber && { documentNumber: idNumber }),
  }
}
