import { cleanCode } from '../common/clean.ts'
import { DAY, MINUTE } from '../common/duration.ts'
import { err, ok, type Result } from '../common/result.ts'
import { checkName } from '../people/name.ts'

/** Maximum size of an identity document, in bytes. Specification, section 9. */
export const MAX_IDENTITY_FILE_BYTES = 5 * 1024 * 1024

export const ID_TYPES = ['passport', 'national_id', 'drivers_license'] as const
export type IdType = (typeof ID_TYPES)[number]

/** Dates are 'YYYY-MM-DD'. Specification, section 3. */
export interface IdentityFormValues {
  readonly fullName: string
  readonly idType: IdType | null
  readonly idNumber: string
  readonly issuedBy: string
  readonly expirationDate: string
  readonly dateOfBirth: string
}

export type IdentityField = keyof IdentityFormValues

export interface IdentityDetails extends IdentityFormValues {
  readonly idType: IdType
}

/** The URL works for anyone who has it, so it is never stored on the device or logged. */
export interface DocumentRecord {
  readonly fileName: string
  readonly fileType: string
  readonly fileSize: number
  readonly downloadUrl: string
}

export interface IdentityFieldProblem {
  readonly field: IdentityField
  readonly kind: 'required' | 'dateInvalid' | 'expired' | 'notBorn'
}

export const IDENTITY_MAX_LENGTHS = { fullName: 200, idNumber: 64, issuedBy: 200, fileName: 255 } as const

const EARLIEST_BIRTH = '1900-01-01'

/** Days are UTC at `now` (UTC ms). Returns every problem, in field order. Specification, section 5. */
export function checkIdentityForm(
  form: IdentityFormValues,
  now: number,
): Result<IdentityDetails, readonly IdentityFieldProblem[]> {
  const { idType, expirationDate, dateOfBirth } = form
  const fullName = cleanText(form.fullName, IDENTITY_MAX_LENGTHS.fullName)
  const idNumber = cleanText(cleanCode(form.idNumber), IDENTITY_MAX_LENGTHS.idNumber)
  const issuedBy = cleanText(form.issuedBy, IDENTITY_MAX_LENGTHS.issuedBy)
  const kinds: Record<IdentityField, IdentityFieldProblem['kind'] | null> = {
    fullName: fullName ? null : 'required',
    idType: idType ? null : 'required',
    idNumber: idNumber ? null : 'required',
    issuedBy: issuedBy ? null : 'required',
    expirationDate: findDateProblem(expirationDate) ?? (isExpired(expirationDate, now) ? 'expired' : null),
    dateOfBirth:
      findDateProblem(dateOfBirth) ??
      (dateOfBirth >= toUtcDay(now) ? 'notBorn' : dateOfBirth < EARLIEST_BIRTH ? 'dateInvalid' : null),
  }
  const problems = Object.entries(kinds).flatMap(([field, kind]) =>
    kind ? [{ field: field as IdentityField, kind }] : [],
  )
  if (!idType || problems.length > 0) return err(problems)
  return ok({ fullName, idType, idNumber, issuedBy, expirationDate, dateOfBirth })
}

const toUtcDay = (ms: number) => new Date(ms).toISOString().slice(0, 10)

/** Specification, section 5: a document must be valid after the UTC day of `now` (UTC ms). */
const isExpired = (expirationDate: string, now: number) => expirationDate <= toUtcDay(now)

function findDateProblem(text: string): 'required' | 'dateInvalid' | null {
  if (text === '') return 'required'
  const ms = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN
  // `Date` reads February 30 as a day in March.
  return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(text) ? null : 'dateInvalid'
}

/** Empty if the text has no letter or digit. */
function cleanText(text: string, most: number): string {
  const name = checkName(text)
  return name.ok ? [...name.value].slice(0, most).join('') : ''
}

export const DOCUMENT_TYPES = ['image/png', 'image/jpeg', 'application/pdf'] as const
export type DocumentType = (typeof DOCUMENT_TYPES)[number]

export type DocumentProblem = {
  readonly kind:
    | 'documentRequired'
    | 'fileTooLarge'
    | 'fileTypeUnsupported'
    | 'fileUnreadable'
    /** The image is too large, and the browser falsifies resized pixels. */
    | 'canvasUnreadable'
}

export const FILE_SIGNATURE_BYTES = 1024

/** Goes by the bytes, because names and declared types can be wrong. Specification, section 5. */
export function checkIdentityFile({
  size,
  start,
  end,
}: {
  readonly size: number
  /** The first and last `FILE_SIGNATURE_BYTES`, or the whole file if it is smaller. */
  readonly start: Uint8Array
  readonly end: Uint8Array
}): Result<DocumentType, DocumentProblem> {
  const found = FORMATS.find(
    ({ first, last }) =>
      first.every(([at, text]) => findIndex(start, text) === at) &&
      (last === null || findIndex(end, last) >= 0),
  )
  if (!found) return err({ kind: 'fileTypeUnsupported' })
  return size > MAX_IDENTITY_FILE_BYTES ? err({ kind: 'fileTooLarge' }) : ok(found.type)
}

/** A JPEG has no signature at its end, because cameras append data. */
const FORMATS: readonly {
  readonly type: DocumentType
  readonly first: readonly (readonly [at: number, text: string])[]
  readonly last: string | null
}[] = [
  {
    type: 'image/png',
    first: [
      [0, '\x89PNG\r\n\x1a\n'],
      [12, 'IHDR'],
    ],
    last: 'IEND',
  },
  { type: 'image/jpeg', first: [[0, '\xff\xd8\xff']], last: null },
  { type: 'application/pdf', first: [[0, '%PDF-']], last: '%%EOF' },
]

const findIndex = (bytes: Uint8Array, text: string): number =>
  bytes.findIndex((_, at) => [...text].every((character, i) => bytes[at + i] === character.charCodeAt(0)))

/** A reviewer can reject one part; only that part is requested again. */
export const IDENTITY_ITEMS = ['document', 'details'] as const
export type IdentityItem = (typeof IDENTITY_ITEMS)[number]

export interface IdentityFile {
  readonly id: string
  readonly fileName: string
  readonly status: 'pending' | 'approved' | 'rejected'
  /** Null if the file was not rejected, or if the reviewer named no part: everything is requested again. */
  readonly rejectedItem: IdentityItem | null
  /** The reviewer's words; empty if the file was not rejected. */
  readonly rejectionReason: string
  /** 'YYYY-MM-DD'; empty if unreadable, which counts as expired. */
  readonly expirationDate: string
  /** UTC milliseconds. */
  readonly createdAt: number
}

/** Specification, sections 2 and 3. */
export type IdentityState =
  | { readonly kind: 'none' }
  | { readonly kind: IdentityFile['status'] | 'expired'; readonly file: IdentityFile }

/** At `now` (UTC ms). An approved file counts until its document expires; else the newest file decides. */
export function getIdentityState(files: readonly IdentityFile[], now: number): IdentityState {
  const getKind = ({ status, expirationDate }: IdentityFile) =>
    status === 'approved' && isExpired(expirationDate, now) ? 'expired' : status
  const newestFirst = [...files].sort((one, other) => other.createdAt - one.createdAt)
  const file = newestFirst.find((one) => getKind(one) === 'approved') ?? newestFirst[0]
  return file ? { kind: getKind(file), file } : { kind: 'none' }
}

/** How long before its expiry an approved document can be replaced. */
const RENEWAL_PERIOD = 60 * DAY

export type SubmissionState = IdentityState | { readonly kind: 'expiring'; readonly file: IdentityFile }

/** At `now` (UTC ms). A document that expires soon can be replaced while it still counts. */
export function getSubmissionState(files: readonly IdentityFile[], now: number): SubmissionState {
  const standing = getIdentityState(files, now)
  if (standing.kind !== 'approved' || !isExpired(standing.file.expirationDate, now + RENEWAL_PERIOD))
    return standing
  const [newest] = [...files].sort((one, other) => other.createdAt - one.createdAt)
  const isReplaced = newest && newest.createdAt > standing.file.createdAt && newest.status !== 'approved'
  return isReplaced ? { kind: newest.status, file: newest } : { kind: 'expiring', file: standing.file }
}

export function getMissingIdentity(standing: SubmissionState): 'everything' | IdentityItem | null {
  if (['none', 'expired', 'expiring'].includes(standing.kind)) return 'everything'
  return standing.kind === 'rejected' ? (standing.file.rejectedItem ?? 'everything') : null
}

/** Any value except 'approved' and 'rejected' still needs a decision. */
export const parseIdentityStatus = (raw: unknown): IdentityFile['status'] =>
  raw === 'approved' || raw === 'rejected' ? raw : 'pending'

/** `firebase/storage.rules` checks the format; `now` in UTC ms. Specification, section 3. */
export const buildSubmissionName = (now: number, uuid: string): string =>
  `${String(Math.trunc(now)).padStart(13, '0')}-${uuid}`

/** Enforced by `firebase/firestore.rules`. */
export const MAX_DAILY_SUBMISSIONS = 10

/** Milliseconds. Specification, section 9. */
export const STORAGE_RETRY_LIMITS = { operation: 2 * MINUTE, upload: 10 * MINUTE } as const

/** Removes line breaks and direction marks; empty if not a string. */
export const sanitizeReason = (reason: unknown): string =>
  typeof reason === 'string' ? cleanText(reason, MAX_REASON) : ''

const MAX_REASON = 500

export const sanitizeFileName = (name: string): string =>
  cleanText(name, IDENTITY_MAX_LENGTHS.fileName) || 'document'

export type IdentityStep = 'details' | 'document' | 'review'

/** The first step that is not done is the current one. `done`: filled in now, or already stored. */
export function computeIdentitySteps(
  done: Readonly<Record<IdentityStep, boolean>>,
): readonly { readonly step: IdentityStep; readonly progress: 'done' | 'current' | 'next' }[] {
  const steps = ['details', 'document', 'review'] as const
  const current = steps.find((step) => !done[step])
  return steps.map((step) => ({
    step,
    progress: done[step] ? 'done' : step === current ? 'current' : 'next',
  }))
}
