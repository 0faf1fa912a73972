import { MINUTE } from './duration.ts'
import { checkName } from './name.ts'
import { err, ok, type Result } from './result.ts'

/** The largest identity document, in bytes. Specification, section 9. */
const MAX_IDENTITY_FILE_BYTES = 5 * 1024 * 1024

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

export type IdentityField = keyof IdentityForm

/** The form when it keeps the rules, cleaned of what could make one text read as another. */
export interface IdentityDetails extends IdentityForm {
  readonly idType: IdType
}

/** What a file says of its document. The address is good for whoever holds it: it is never kept on the device or logged. */
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

/** The most characters of each text. */
export const IDENTITY_LENGTHS = { fullName: 200, idNumber: 64, issuedBy: 200, fileName: 255 } as const

const EARLIEST_BIRTH = '1900-01-01'

/**
 * The form: all fields are required, the document is still valid after today and the person was born before it; days are
 * those of UTC at `now` (UTC ms). Answers every problem, in the order of the form. Specification, section 5.
 */
export function checkIdentityForm(
  form: IdentityForm,
  now: number,
): Result<IdentityDetails, readonly IdentityFieldProblem[]> {
  const { idType, expirationDate, dateOfBirth } = form
  const fullName = cleaned(form.fullName, IDENTITY_LENGTHS.fullName)
  const idNumber = cleaned(form.idNumber, IDENTITY_LENGTHS.idNumber)
  const issuedBy = cleaned(form.issuedBy, IDENTITY_LENGTHS.issuedBy)
  const today = new Date(now).toISOString().slice(0, 10)
  const kinds: Record<IdentityField, IdentityFieldProblem['kind'] | null> = {
    fullName: fullName ? null : 'required',
    idType: idType ? null : 'required',
    idNumber: idNumber ? null : 'required',
    issuedBy: issuedBy ? null : 'required',
    expirationDate: dateProblem(expirationDate) ?? (expirationDate > today ? null : 'expired'),
    dateOfBirth:
      dateProblem(dateOfBirth) ??
      (dateOfBirth >= today ? 'notBorn' : dateOfBirth < EARLIEST_BIRTH ? 'dateInvalid' : null),
  }
  const problems = Object.entries(kinds).flatMap(([field, kind]) =>
    kind ? [{ field: field as IdentityField, kind }] : [],
  )
  if (!idType || problems.length > 0) return err(problems)
  return ok({ fullName, idType, idNumber, issuedBy, expirationDate, dateOfBirth })
}

function dateProblem(text: string): 'required' | 'dateInvalid' | null {
  if (text === '') return 'required'
  const ms = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN
  // February 30 is read as a day in March.
  return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(text) ? null : 'dateInvalid'
}

/** Empty when there is neither letter nor digit in it. */
function cleaned(text: string, most: number): string {
  const name = checkName(text)
  return name.ok ? [...name.value].slice(0, most).join('') : ''
}

export const DOCUMENT_TYPES = ['image/png', 'image/jpeg', 'application/pdf'] as const
export type DocumentType = (typeof DOCUMENT_TYPES)[number]

export type DocumentProblem = { readonly kind: 'documentRequired' | 'fileTooLarge' | 'fileTypeUnsupported' }

/** How many bytes of a document's beginning and end say what it is. */
export const TELLING_BYTES = 1024

/**
 * An identity document: PNG, JPEG or PDF by its bytes, as a name or a declared type can lie, and at most 5 MB.
 * Answers its type. Specification, section 5.
 */
export function checkIdentityFile({
  size,
  start,
  end,
}: {
  readonly size: number
  /** The first and the last `TELLING_BYTES`, or all of a smaller file. */
  readonly start: Uint8Array
  readonly end: Uint8Array
}): Result<DocumentType, DocumentProblem> {
  if (size > MAX_IDENTITY_FILE_BYTES) return err({ kind: 'fileTooLarge' })
  const found = FORMATS.find(
    ({ first, last }) =>
      first.every(([at, text]) => indexOf(start, text) === at) && (last === null || indexOf(end, last) >= 0),
  )
  return found ? ok(found.type) : err({ kind: 'fileTypeUnsupported' })
}

/** What stands where in the first bytes, and what somewhere in the last. Cameras write after the end of a JPEG. */
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

/** Where the text begins, one character for each byte; -1 when it is not there. */
const indexOf = (bytes: Uint8Array, text: string): number =>
  bytes.findIndex((_, at) => [...text].every((character, i) => bytes[at + i] === character.charCodeAt(0)))

/** What was wrong with what was handed in; that alone is asked for again. */
export const IDENTITY_ITEMS = ['document', 'details'] as const
export type IdentityItem = (typeof IDENTITY_ITEMS)[number]

/** What a person may know of a file they handed in, without the details and the address of the document. */
export interface IdentityFile {
  readonly id: string
  readonly fileName: string
  readonly status: 'pending' | 'approved' | 'rejected'
  /** Of a rejected file; null when nothing says which, so that all of it is asked for. */
  readonly rejectedItem: IdentityItem | null
  /** Of a rejected file, in the words of whoever rejected it. */
  readonly rejectionReason: string
  /** UTC milliseconds. */
  readonly createdAt: number
}

/** Where the person's identity stands. Specification, sections 2 and 3. */
export type IdentityStanding =
  | { readonly kind: 'none' }
  | { readonly kind: 'pending' | 'approved' | 'rejected'; readonly file: IdentityFile }

/** An approved file counts whatever came after it; otherwise the newest one tells. */
export function identityStanding(files: readonly IdentityFile[]): IdentityStanding {
  const newestFirst = files.toSorted((one, other) => other.createdAt - one.createdAt)
  const file = newestFirst.find(({ status }) => status === 'approved') ?? newestFirst[0]
  return file ? { kind: file.status, file } : { kind: 'none' }
}

/** What is to be handed in, as the standing has it; null when nothing is. */
export function askedFor(standing: IdentityStanding): 'everything' | IdentityItem | null {
  if (standing.kind === 'none') return 'everything'
  return standing.kind === 'rejected' ? (standing.file.rejectedItem ?? 'everything') : null
}

/** Any status but these two is one that somebody still has to decide on. */
export const identityStatus = (raw: unknown): IdentityFile['status'] =>
  raw === 'approved' || raw === 'rejected' ? raw : 'pending'

/**
 * The name of a submission, under which its document is stored and its file recorded: the moment (UTC ms) and an id at
 * random. `firebase/storage.rules` know its form. Specification, section 3.
 */
export const submissionName = (now: number, uuid: string): string =>
  `${String(Math.trunc(now)).padStart(13, '0')}-${uuid}`

/** How many submissions a person has before a day must pass; `firebase/firestore.rules` see to it. */
export const MAX_SUBMISSIONS = 10

/** For how long an operation of the storage, and a whole upload, are tried, in milliseconds. Specification, section 9. */
export const STORAGE_RETRY_LIMITS = { operation: 2 * MINUTE, upload: 10 * MINUTE } as const

/** What a reviewer wrote, as a text that is safe to show. */
export const safeReason = (reason: unknown): string =>
  typeof reason === 'string' ? cleaned(reason, MAX_REASON) : ''

const MAX_REASON = 500

/** A name of a file as a text that is safe to show. */
export const safeFileName = (name: string): string => cleaned(name, IDENTITY_LENGTHS.fileName) || 'document'
