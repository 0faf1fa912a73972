import type { Clock, Emulator, Identify, ReportUnknown } from '../emulator.ts'
import type { Rules } from '../rules/rules.ts'
import type { WireFields } from '../wire.ts'
import { createAccess } from './access.ts'
import { createHttp } from './http.ts'
import { createIndexes, type IndexesFile, indexResources } from './indexes.ts'
import { createLocks } from './locks.ts'
import { createNames } from './names.ts'
import { createOperations } from './operations.ts'
import { createQueries } from './query.ts'
import { createRequests } from './requests.ts'
import { createStore, type StoredDocument } from './store.ts'
import { createTransactions, TRANSACTION_LIMITS, type TransactionLimits } from './transactions.ts'
import { plainFields } from './values.ts'

export type { WireFields, WireValue } from '../wire.ts'
export { adminIdentify } from './adminIdentify.ts'
export type { IndexesFile } from './indexes.ts'

export interface FirestoreOptions {
  readonly projectId: string
  readonly clock: Clock
  readonly identify: Identify
  /** Bind everybody but admins. */
  readonly rules: Rules
  /** The contents of firestore.indexes.json. */
  readonly indexes: IndexesFile
  /** Where the database is, as the service calls it. */
  readonly location: string
  readonly reportUnknown: ReportUnknown
  /** Real milliseconds; a test of waiting makes them short. */
  readonly transactionLimits?: Partial<TransactionLimits>
}

/** All documents by path, as JSON; times as the service writes them. */
export interface FirestoreDump {
  readonly documents: Readonly<Record<string, StoredDocument>>
}

export interface Firestore extends Emulator {
  /** Document reads and writes so far, as they would be billed; deletes are among the writes. */
  counts(): { reads: number; writes: number }
  /** How many calls wait until others have finished with the same documents. */
  waiting(): number
  /** Every document's plain data by path ('users/abc'): numbers, texts, lists, records; timestamps as ISO text. */
  documents(): Record<string, Record<string, unknown>>
  /** The fields of a document ('users/abc') as they go over the wire, whoever may read it; null when there is none. */
  fieldsOf(path: string): WireFields | null
  dump(): FirestoreDump
  /** Replaces everything with what `dump` gave. */
  load(dump: FirestoreDump): void
}

/**
 * Stands in for Cloud Firestore behind its REST API, version 1, for one project's default database:
 * what `firebase-admin` with `preferRest` and `firebase/firestore/lite` speak. Data lives in memory.
 */
export function createFirestore(options: FirestoreOptions): Firestore {
  const { projectId, clock, rules, identify, reportUnknown } = options
  const limits = { ...TRANSACTION_LIMITS, ...options.transactionLimits }
  const counts = { reads: 0, writes: 0 }
  const bill = (kind: keyof typeof counts, count: number) => {
    counts[kind] += count
  }

  const names = createNames(projectId)
  const store = createStore(clock)
  const locks = createLocks((path) => store.current().get(path) ?? null, limits.lockWaitMs)
  const transactions = createTransactions(store, locks, limits)
  const queries = createQueries(names)
  const requireIndex = createIndexes(options.indexes, projectId)
  const access = createAccess({ clock, names, queries, rules, billReads: (count) => bill('reads', count) })
  const operations = createOperations({
    names,
    store,
    locks,
    transactions,
    queries,
    requireIndex,
    access,
    bill,
  })

  const replaceAll = (documents: ReadonlyMap<string, StoredDocument>) => {
    transactions.endAll()
    store.replaceAll(documents)
  }

  return {
    app: createHttp({
      names,
      operations,
      requests: createRequests(names),
      identify,
      listIndexes: () => indexResources(options.indexes, names.database),
      location: options.location,
      reportUnknown,
    }),
    reset() {
      replaceAll(new Map())
      Object.assign(counts, { reads: 0, writes: 0 })
    },
    counts: () => ({ ...counts }),
    waiting: locks.waiting,
    documents: () =>
      Object.fromEntries([...store.current()].map(([path, { fields }]) => [path, plainFields(fields)])),
    fieldsOf: (path) => store.current().get(path)?.fields ?? null,
    dump: () => ({ documents: Object.fromEntries(store.current()) }),
    load: ({ documents }) => replaceAll(new Map(Object.entries(documents))),
  }
}
