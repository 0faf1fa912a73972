import type { Clock } from '../emulator.ts'
import type { WireFields } from '../wire.ts'
import type { Path } from './names.ts'
import { formatTimestamp, type Micros, parseMicros } from './time.ts'

/** Times have the format of `formatTimestamp`. */
export interface StoredDocument {
  readonly fields: WireFields
  readonly createTime: string
  readonly updateTime: string
}

export type Documents = ReadonlyMap<Path, StoredDocument>

/** Null if deleted. */
export type DocumentChanges = ReadonlyMap<Path, StoredDocument | null>

export function createDocumentStore(clock: Clock) {
  let documents = new Map<Path, StoredDocument>()
  let hasSnapshot = false
  let lastCommit: Micros = 0

  const now = (): Micros => Math.max(lastCommit, Math.floor(clock.now()) * 1000)

  return {
    /** The live documents change with the next commit: don't use them after an await. */
    current: (): Documents => documents,

    /** Later commits don't change a snapshot. */
    snapshot(): Documents {
      hasSnapshot = true
      return documents
    },

    readTime: () => formatTimestamp(now()),

    /** Later than the previous commit, even if the clock stops or goes back. */
    nextCommitTime: (): Micros => Math.max(lastCommit + 1, now()),

    apply(changes: DocumentChanges, commitTime: Micros) {
      if (hasSnapshot) {
        documents = new Map(documents)
        hasSnapshot = false
      }
      lastCommit = commitTime
      for (const [path, document] of changes) {
        if (document) documents.set(path, document)
        else documents.delete(path)
      }
    },

    replaceAll(next: Documents) {
      documents = new Map(next)
      hasSnapshot = false
      for (const { updateTime } of next.values()) lastCommit = Math.max(lastCommit, parseMicros(updateTime))
    },
  }
}

export type DocumentStore = ReturnType<typeof createDocumentStore>
