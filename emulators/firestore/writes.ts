import type { WireFields, WireValue } from '../wire.ts'
import { type FieldPath, fieldAt, withField } from './fieldPath.ts'
import type { Path } from './names.ts'
import { invalidArgument, StatusError } from './status.ts'
import type { Changes, Documents, StoredDocument } from './store.ts'
import { fullTimestamp, type Micros, timestampOf } from './time.ts'
import { applyTransforms, type Transform } from './transforms.ts'
import { areSameFields } from './values.ts'

export type Precondition = { readonly exists: boolean } | { readonly updateTime: string } | null

export type Write = { readonly path: Path; readonly precondition: Precondition } & (
  | {
      readonly kind: 'update'
      readonly fields: WireFields
      /** The fields that are set or, where the update has none, deleted; null replaces the document. */
      readonly mask: readonly FieldPath[] | null
      readonly transforms: readonly Transform[]
    }
  | { readonly kind: 'delete' | 'verify' }
)

/** One write with the document as it finds it and as it leaves it. */
export interface Step {
  readonly write: Write
  /** Whether a write before it in the same commit deleted the document. */
  readonly isAfterDelete: boolean
  readonly before: StoredDocument | null
  readonly after: StoredDocument | null
  readonly transformResults: readonly WireValue[]
}

export interface Plan {
  readonly steps: readonly Step[]
  readonly changes: Changes
}

/**
 * What the writes make of the documents, each seeing the ones before it. Nothing is stored, and no
 * precondition is looked at. A REQUEST_TIME is the commit time in whole milliseconds.
 */
export function planWrites(documents: Documents, writes: readonly Write[], commitTime: Micros): Plan {
  const changes = new Map<Path, StoredDocument | null>()
  const steps = writes.map((write): Step => {
    const before =
      changes.get(write.path) ?? (changes.has(write.path) ? null : (documents.get(write.path) ?? null))
    const isAfterDelete = changes.get(write.path) === null
    const step = { ...planWrite(write, before, commitTime), isAfterDelete }
    if (write.kind !== 'verify') changes.set(write.path, step.after)
    return step
  })
  return { steps, changes }
}

function planWrite(
  write: Write,
  before: StoredDocument | null,
  commitTime: Micros,
): Omit<Step, 'isAfterDelete'> {
  if (write.kind !== 'update')
    return { write, before, after: write.kind === 'verify' ? before : null, transformResults: [] }
  const merged = write.mask
    ? write.mask.reduce(
        (fields, path) => withField(fields, path, fieldAt(write.fields, path)),
        before?.fields ?? {},
      )
    : write.fields
  const requestTime = Math.floor(commitTime / 1000)
  const { fields, results } = applyTransforms(merged, write.transforms, requestTime)
  const isUnchanged = before !== null && areSameFields(before.fields, fields)
  const updateTime = timestampOf(commitTime)
  const after = isUnchanged ? before : { fields, createTime: before?.createTime ?? updateTime, updateTime }
  return { write, before, after, transformResults: results }
}

/** Refuses a write whose precondition does not hold. `name` is the document's full name. */
export function checkPrecondition({ write: { precondition }, before, isAfterDelete }: Step, name: string) {
  if (!precondition) return
  if ('updateTime' in precondition) {
    const isSame = before !== null && fullTimestamp(precondition.updateTime) === before.updateTime
    if (isSame) return
    throw new StatusError(
      'FAILED_PRECONDITION',
      before
        ? `The stored version (${before.updateTime}) does not match the required base version (${precondition.updateTime})`
        : `The document does not exist: ${name}`,
    )
  }
  if (precondition.exists && isAfterDelete)
    throw invalidArgument(`The same commit deletes the document that it updates: ${name}`)
  if (precondition.exists && !before) throw new StatusError('NOT_FOUND', `No document to update: ${name}`)
  if (!precondition.exists && before)
    throw new StatusError('ALREADY_EXISTS', `Document already exists: ${name}`)
}
