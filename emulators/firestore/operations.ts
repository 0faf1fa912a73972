import type { CallerIdentity } from '../emulator.ts'
import type { AccessChecks } from './access.ts'
import type { RequireIndex } from './indexes.ts'
import { checkDocumentSize } from './limits.ts'
import type { LockHolder, LockRequest, Locks } from './locks.ts'
import type { Path, ResourceNames } from './names.ts'
import type { Query, QueryRunner } from './query.ts'
import { createInvalidArgumentError } from './status.ts'
import type { DocumentStore, Documents, StoredDocument } from './store.ts'
import { formatTimestamp } from './time.ts'
import type { TransactionManager } from './transactions.ts'
import { checkPrecondition, planWrites, type Write } from './writes.ts'

export interface ConsistencySelector {
  readonly transaction?: string | undefined
  readonly newTransaction?: 'readWrite' | 'readOnly' | undefined
}

interface Reading {
  readonly documents: Documents
  /** Added to the first response, if the call began a transaction. */
  readonly begun: { transaction: string } | Record<string, never>
}

/** Named as in the service's protocol. Responses are in wire format. */
export function createOperations(deps: {
  readonly names: ResourceNames
  readonly store: DocumentStore
  readonly locks: Locks
  readonly transactions: TransactionManager
  readonly queries: QueryRunner
  readonly requireIndex: RequireIndex
  readonly access: AccessChecks
  readonly bill: (kind: 'reads' | 'writes', count: number) => void
}) {
  const { names, store, locks, transactions, queries, requireIndex, access, bill } = deps

  const wireDocument = (path: Path, { fields, createTime, updateTime }: StoredDocument) => ({
    name: names.buildName(path),
    fields,
    createTime,
    updateTime,
  })

  const startReading = async (
    consistency: ConsistencySelector,
    claims: readonly LockRequest[],
  ): Promise<Reading> => {
    const { newTransaction, transaction: id } = consistency
    if (id === undefined && newTransaction === undefined) return { documents: store.current(), begun: {} }
    const transaction = newTransaction ? transactions.begin(newTransaction) : transactions.get(id ?? '')
    if (!transaction.snapshot) await transactions.lock(transaction, claims)
    return {
      documents: transaction.snapshot ?? store.current(),
      begun: newTransaction ? { transaction: transaction.id } : {},
    }
  }

  const queryClaim = (query: Query): LockRequest => ({
    kind: 'query',
    key: JSON.stringify(query),
    matches: (path, document) => queries.matches(query, path, document),
  })

  const find = async (identity: CallerIdentity, query: Query, consistency: ConsistencySelector) => {
    access.requireList(identity, store.current(), query)
    requireIndex(query)
    const { documents, begun } = await startReading(consistency, [queryClaim(query)])
    return { found: queries.run(query, documents), begun }
  }

  /** Outside a transaction, a new holder releases its locks after the commit. */
  const getLockHolder = (
    id: string | undefined,
  ): { holder: LockHolder; isReadOnly: boolean; done(): void } => {
    if (id === undefined) {
      const holder = {}
      return { holder, isReadOnly: false, done: () => locks.release(holder) }
    }
    const transaction = transactions.get(id)
    const isReadOnly = transaction.snapshot !== null
    return { holder: transaction, isReadOnly, done: () => transactions.end(transaction) }
  }

  const writeClaims = (writes: readonly Write[]): LockRequest[] =>
    [...new Set(writes.map(({ path }) => path))].map((path) => ({
      kind: 'write',
      path,
      after: () => planWrites(store.current(), writes, store.nextCommitTime()).changes.get(path) ?? null,
    }))

  /**
   * Commits all writes or none, after the locks of other transactions. Ends its own transaction either way.
   */
  const commit = async (identity: CallerIdentity, writes: readonly Write[], transactionId?: string) => {
    const { holder, isReadOnly, done } = getLockHolder(transactionId)
    try {
      if (isReadOnly && writes.length > 0)
        throw createInvalidArgumentError('Cannot modify entities in a read-only transaction.')
      await locks.acquire(holder, writeClaims(writes))
      const commitTime = store.nextCommitTime()
      const { steps, changes } = planWrites(store.current(), writes, commitTime)
      access.requireWrites(identity, store.current(), steps, Math.floor(commitTime / 1000))
      for (const step of steps) {
        const name = names.buildName(step.write.path)
        checkPrecondition(step, name)
        if (step.write.kind === 'update' && step.after)
          checkDocumentSize(step.write.path, step.after.fields, name)
      }
      store.apply(changes, commitTime)
      bill('writes', writes.length)
      return { steps, commitTime: formatTimestamp(commitTime) }
    } finally {
      done()
    }
  }

  return {
    async batchGet(identity: CallerIdentity, paths: readonly Path[], consistency: ConsistencySelector) {
      const distinct = [...new Set(paths)]
      const claims = distinct.map((path): LockRequest => ({ kind: 'document', path }))
      const { documents, begun } = await startReading(consistency, claims)
      for (const path of distinct) access.requireGet(identity, documents, path)
      bill('reads', distinct.length)
      const readTime = store.readTime()
      const answers = distinct.map((path) => {
        const document = documents.get(path)
        return document
          ? { found: wireDocument(path, document), readTime }
          : { missing: names.buildName(path), readTime }
      })
      return answers.length === 0
        ? [{ ...begun, readTime }]
        : answers.map((answer, i) => (i === 0 ? { ...begun, ...answer } : answer))
    },

    async runQuery(identity: CallerIdentity, query: Query, consistency: ConsistencySelector) {
      const { found, begun } = await find(identity, query, consistency)
      bill('reads', Math.max(1, found.length))
      const readTime = store.readTime()
      return found.length === 0
        ? [{ ...begun, readTime }]
        : found.map((one, i) => ({
            ...(i === 0 && begun),
            document: wireDocument(one.path, one),
            readTime,
          }))
    },

    async commit(identity: CallerIdentity, writes: readonly Write[], transactionId?: string) {
      const { steps, commitTime } = await commit(identity, writes, transactionId)
      return {
        writeResults: steps.map(({ after, transformResults }) => ({
          ...(after ? { updateTime: after.updateTime } : {}),
          ...(transformResults.length > 0 ? { transformResults } : {}),
        })),
        commitTime,
      }
    },

    async write(identity: CallerIdentity, write: Write) {
      const { steps } = await commit(identity, [write])
      const after = steps[0]?.after
      return after ? wireDocument(write.path, after) : {}
    },

    beginTransaction: (kind: 'readWrite' | 'readOnly') => ({ transaction: transactions.begin(kind).id }),

    rollback(id: string) {
      transactions.end(transactions.get(id))
      return {}
    },
  }
}

export type Operations = ReturnType<typeof createOperations>
