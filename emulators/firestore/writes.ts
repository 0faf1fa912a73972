import type { WireFields, WireValue } from '../wire.ts'
import { type FieldPath, getField, setField } from './fieldPath.ts'
import type { Path } from './names.ts'
import { createInvalidArgumentError, StatusError } from './status.ts'
import type { DocumentChanges, Documents, StoredDocument } from './store.ts'
import { formatTimestamp, type Micros, normalizeTimestamp } from './time.ts'
import { applyTransforms, type Transform } from './transforms.ts'
import { areIdenticalFields } from './values.ts'

export type Precondition = { readonly exists: boolean } | { readonly updateTime: string } | null

export type Write = { readonly path: Path; readonly precondition: Precondition } & (
  | {
      readonly kind: 'update'
      readonly fields: WireFields
      /** Fields that the update lacks are deleted; null replaces the document. */
      readonly mask: readonly FieldPath[] | null
      readonly transforms: readonly Transform[]
    }
  | { readonly kind: 'delete' }
)

export interface PlannedWrite {
  readonly write: Write
  readonly isAfterDelete: boolean
  readonly before: StoredDocument | null
  readonly after: StoredDocument | null
  readonly transformResults: readonly WireValue[]
}

export interface CommitPlan {
  readonly steps: readonly PlannedWrite[]
  readonly changes: DocumentChanges
}

/** Does not store the documents. REQUEST_TIME is the commit time in whole milliseconds. */
export function planWrites(documents: Documents, writes: readonly Write[], commitTime: Micros): CommitPlan {
  const changes = new Map<Path, StoredDocument | null>()
  const steps = writes.map((write): PlannedWrite => {
    const before =
      changes.get(write.path) ?? (changes.has(write.path) ? null : (documents.get(write.path) ?? null))
    const isAfterDelete = changes.get(write.path) === null
    const step = { ...planWrite(write, before, commitTime), isAfterDelete }
    changes.set(write.path, step.after)
    return step
  })
  return { steps, changes }
}

function planWrite(
  write: Write,
  before: StoredDocument | null,
  commitTime: Micros,
): Omit<PlannedWrite, 'isAfterDelete'> {
  if (write.kind === 'delete') return { write, before, after: null, transformResults: [] }
  const merged = write.mask
    ? write.mask.reduce(
        (fields, path) => setField(fields, path, getField(write.fields, path)),
        before?.fields ?? {},
      )
    : write.fields
  const requestTime = Math.floor(commitTime / 1000)
  const { fields, results } = applyTransforms(merged, write.transforms, requestTime)
  const isUnchanged = before !== null && areIdenticalFields(before.fields, fields)
  const updateTime = formatTimestamp(commitTime)
  const after = isUnchanged ? before : { fields, createTime: before?.createTime ?? updateTime, updateTime }
  return { write, before, after, transformResults: results }
}

/** `name`: the document's full name. */
export function checkPrecondition(
  { write: { precondition }, before, isAfterDelete }: PlannedWrite,
  name: string,
) {
  if (!precondition) return
  if ('updateTime' in precondition) {
    const isSame = before !== null && normalizeTimestamp(precondition.updateTime) === before.updateTime
    if (isSame) return
    throw new StatusError(
      'FAILED_PRECONDITION',
      before
        ? `The stored version (${before.updateTime}) does not match the required base version (${precondition.updateTime})`
        : `The document does not exist: ${name}`,
    )
  }
  if (precondition.exists && isAfterDelete)
    throw createInvalidArgumentError(`The same commit deletes the document that it updates: ${name}`)
  if (precondition.exists && !before) throw new StatusError('NOT_FOUND', `No document to update: ${name}`)
  if (!precondition.exists && before)
    throw new StatusError('ALREADY_EXISTS', `Document already exists: ${name}`)
}
