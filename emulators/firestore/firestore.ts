import type { Clock, IdentifyCaller, ReportUnknown } from '../emulator.ts'
import type { Rules } from '../rules/rules.ts'
import { createAccessChecks } from './access.ts'
import { createFirestoreHttp } from './http.ts'
import { buildIndexResources, createIndexCheck, type IndexFile } from './indexes.ts'
import { createLocks } from './locks.ts'
import { createResourceNames } from './names.ts'
import { createOperations } from './operations.ts'
import { createQueryRunner } from './query.ts'
import { createRequestSchemas } from './requests.ts'
import { createDocumentStore, type StoredDocument } from './store.ts'
import { createTransactionManager, TRANSACTION_LIMITS, type TransactionLimits } from './transactions.ts'
import { toPlainFields } from './values.ts'

export type { WireFields, WireValue } from '../wire.ts'
export { createAdminIdentifier } from './adminIdentifier.ts'
export type { IndexFile } from './indexes.ts'

export interface FirestoreOptions {
  readonly projectId: string
  readonly clock: Clock
  readonly identify: IdentifyCaller
  readonly rules: Rules
  /** The contents of firestore.indexes.json. */
  readonly indexes: IndexFile
  /** Such as 'eur3'. */
  readonly location: string
  readonly reportUnknown: ReportUnknown
  /** In real milliseconds; tests shorten them. */
  readonly transactionLimits?: Partial<TransactionLimits>
}

/** By path, as JSON, with timestamps in the service's format. */
export interface FirestoreDump {
  readonly documents: Readonly<Record<string, StoredDocument>>
}

export type FirestoreEmulator = ReturnType<typeof createFirestoreEmulator>

/** Emulates the REST API that `firebase-admin` with `preferRest` and `firebase/firestore/lite` use. */
export function createFirestoreEmulator(options: FirestoreOptions) {
  const { projectId, clock, rules, identify, reportUnknown } = options
  const limits = { ...TRANSACTION_LIMITS, ...options.transactionLimits }
  const counts = { reads: 0, writes: 0 }
  const bill = (kind: keyof typeof counts, count: number) => {
    counts[kind] += count
  }

  const names = createResourceNames(projectId)
  const store = createDocumentStore(clock)
  const locks = createLocks((path) => store.current().get(path) ?? null, limits.lockWaitMs)
  const transactions = createTransactionManager(store, locks, limits)
  const queries = createQueryRunner(names)
  const requireIndex = createIndexCheck(options.indexes, projectId)
  const access = createAccessChecks({
    clock,
    names,
    queries,
    rules,
    billReads: (count) => bill('reads', count),
  })
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
    app: createFirestoreHttp({
      names,
      operations,
      requests: createRequestSchemas(names),
      identify,
      listIndexes: () => buildIndexResources(options.indexes, names.database),
      location: options.location,
      reportUnknown,
    }),
    reset() {
      replaceAll(new Map())
      Object.assign(counts, { reads: 0, writes: 0 })
    },
    /** As billed; deletes count as writes. */
    counts: () => ({ ...counts }),
    /** Number of calls that wait for locks. */
    waiting: locks.waiting,
    /** Plain data by path ('users/abc'), with timestamps as ISO text. */
    documents: (): Record<string, Record<string, unknown>> =>
      Object.fromEntries([...store.current()].map(([path, { fields }]) => [path, toPlainFields(fields)])),
    /** Without an access check; null if the document doesn't exist. */
    getFields: (path: string) => store.current().get(path)?.fields ?? null,
    dump: (): FirestoreDump => ({ documents: Object.fromEntries(store.current()) }),
    load: ({ documents }: FirestoreDump) => replaceAll(new Map(Object.entries(documents))),
  }
}
