import type { Clock } from '../emulator.ts'
import type { WireFields } from '../wire.ts'
import type { Path } from './names.ts'
import { type Micros, microsOf, timestampOf } from './time.ts'

/** A stored document; it is never changed, only replaced. Times are full timestamps. */
export interface StoredDocument {
  readonly fields: WireFields
  readonly createTime: string
  readonly updateTime: string
}

export type Documents = ReadonlyMap<Path, StoredDocument>

/** What a commit does to each document that it touches; null where it leaves none. */
export type Changes = ReadonlyMap<Path, StoredDocument | null>

/** All documents in memory, and the one line of commit times. */
export function createStore(clock: Clock) {
  let documents = new Map<Path, StoredDocument>()
  let hasSnapshot = false
  let lastCommit: Micros = 0

  const now = (): Micros => Math.max(lastCommit, Math.floor(clock.now()) * 1000)

  return {
    /** The present documents; not to be kept over an await. */
    current: (): Documents => documents,

    /** The present documents, unchanged by any later commit. */
    snapshot(): Documents {
      hasSnapshot = true
      return documents
    },

    readTime: () => timestampOf(now()),

    /** When the next commit happens: later than any before, even if the clock stands still or goes back. */
    nextCommitTime: (): Micros => Math.max(lastCommit + 1, now()),

    /** All changes at once. */
    apply(changes: Changes, commitTime: Micros) {
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
      for (const { updateTime } of next.values()) lastCommit = Math.max(lastCommit, microsOf(updateTime))
    },
  }
}

export type Store = ReturnType<typeof createStore>
