import { err, ok, type Result } from './result.ts'

/** The largest identity document, in bytes. Specification, section 9. */
export const MAX_IDENTITY_FILE_BYTES = 5 * 1024 * 1024

export const ID_TYPES = ['passport', 'national_id', 'drivers_license'] as const
export type IdType = (typeof ID_TYPES)[number]

/** The identity form as it is typed; dates as 'YYYY-MM-DD'. Specification, section 3. */
export interface IdentityForm {
  readonly fullName: string
  readonly idType: IdType | null
  readonly idNumber: string
  readonly issuedBy: string
  readonly expirationDate: string
  readonly dateOfBirth: string
}

export type DocumentType = 'image/png' | 'image/jpeg' | 'application/pdf'

/** The fields that are still empty; all of them are required. Specification, section 5. */
export function missingIdentityFields(form: IdentityForm): readonly (keyof IdentityForm)[] {
  const { fullName, idType, idNumber, issuedBy, expirationDate, dateOfBirth } = form
  const fields = { fullName, idType: idType ?? '', idNumber, issuedBy, expirationDate, dateOfBirth }
  return Object.entries(fields).flatMap(([field, text]) => (text.trim() ? [] : [field as keyof IdentityForm]))
}

/**
 * An identity document: PNG, JPEG or PDF by its first bytes, as a name or a declared type can lie, and at most 5 MB.
 * Answers its type. Specification, section 5.
 */
export function checkIdentityFile({
  size,
  start,
}: {
  readonly size: number
  /** The first 8 bytes or more. */
  readonly start: Uint8Array
}): Result<DocumentType, { readonly kind: 'fileTooLarge' | 'fileTypeUnsupported' }> {
  if (size > MAX_IDENTITY_FILE_BYTES) return err({ kind: 'fileTooLarge' })
  const found = SIGNATURES.find(({ bytes }) => bytes.every((byte, at) => start[at] === byte))
  return found ? ok(found.type) : err({ kind: 'fileTypeUnsupported' })
}

const SIGNATURES: readonly { readonly type: DocumentType; readonly bytes: readonly number[] }[] = [
  { type: 'image/png', bytes: [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a] },
  { type: 'image/jpeg', bytes: [0xff, 0xd8, 0xff] },
  { type: 'application/pdf', bytes: [0x25, 0x50, 0x44, 0x46, 0x2d] },
]
