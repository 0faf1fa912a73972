import type { Identity } from '../emulator.ts'
import type { Access } from './access.ts'
import { type FieldPath, selectFields } from './fieldPath.ts'
import type { RequireIndex } from './indexes.ts'
import { checkSize } from './limits.ts'
import type { Claim, Holder, Locks } from './locks.ts'
import type { Names, Path } from './names.ts'
import type { Found, Queries, Query } from './query.ts'
import { invalidArgument } from './status.ts'
import type { Documents, Store, StoredDocument } from './store.ts'
import { timestampOf } from './time.ts'
import type { Transactions } from './transactions.ts'
import { checkPrecondition, planWrites, type Write } from './writes.ts'

/** Reads happen in this open transaction, in one that they begin, or, without either, by themselves. */
export interface Consistency {
  readonly transaction?: string | undefined
  readonly newTransaction?: 'readWrite' | 'readOnly' | undefined
}

interface Reading {
  readonly documents: Documents
  /** For the first answer, when the call began a transaction. */
  readonly begun: { transaction: string } | Record<string, never>
}

/** What the service does, as its protocol names it; answers are as they go over the wire. */
export function createOperations(deps: {
  readonly names: Names
  readonly store: Store
  readonly locks: Locks
  readonly transactions: Transactions
  readonly queries: Queries
  readonly requireIndex: RequireIndex
  readonly access: Access
  readonly bill: (kind: 'reads' | 'writes', count: number) => void
}) {
  const { names, store, locks, transactions, queries, requireIndex, access, bill } = deps

  const wireDocument = (
    path: Path,
    { createTime, updateTime }: StoredDocument,
    fields: StoredDocument['fields'],
  ) => ({
    name: names.nameOf(path),
    fields,
    createTime,
    updateTime,
  })

  /** The documents to read from, locked as far as the transaction needs it. */
  const startReading = async (consistency: Consistency, claims: readonly Claim[]): Promise<Reading> => {
    const { newTransaction, transaction: id } = consistency
    if (id === undefined && newTransaction === undefined) return { documents: store.current(), begun: {} }
    const transaction = newTransaction ? transactions.begin(newTransaction) : transactions.get(id ?? '')
    if (!transaction.snapshot) await transactions.lock(transaction, claims)
    return {
      documents: transaction.snapshot ?? store.current(),
      begun: newTransaction ? { transaction: transaction.id } : {},
    }
  }

  const queryClaim = (query: Query): Claim => ({
    kind: 'query',
    key: JSON.stringify(query),
    matches: (path, document) => queries.matches(query, path, document),
  })

  const find = async (identity: Identity, query: Query, consistency: Consistency) => {
    access.requireList(identity, store.current(), query)
    requireIndex(query)
    const { documents, begun } = await startReading(consistency, [queryClaim(query)])
    return { ...queries.run(query, documents), begun }
  }

  /** Who commits. Outside of a transaction that is nobody known before, who holds locks only until it is done. */
  const committing = (id: string | undefined): { holder: Holder; isReadOnly: boolean; done(): void } => {
    if (id === undefined) {
      const holder = {}
      return { holder, isReadOnly: false, done: () => locks.release(holder) }
    }
    const transaction = transactions.get(id)
    const isReadOnly = transaction.snapshot !== null
    return { holder: transaction, isReadOnly, done: () => transactions.end(transaction) }
  }

  const writeClaims = (writes: readonly Write[]): Claim[] =>
    [...new Set(writes.map(({ path }) => path))].map((path) => ({
      kind: 'write',
      path,
      after: () => planWrites(store.current(), writes, store.nextCommitTime()).changes.get(path) ?? null,
    }))

  /** All writes or none. Waits for the locks of other transactions; a transaction ends with it either way. */
  const commit = async (identity: Identity, writes: readonly Write[], transactionId?: string) => {
    const { holder, isReadOnly, done } = committing(transactionId)
    try {
      if (isReadOnly && writes.length > 0)
        throw invalidArgument('Cannot modify entities in a read-only transaction.')
      await locks.acquire(holder, writeClaims(writes))
      const commitTime = store.nextCommitTime()
      const { steps, changes } = planWrites(store.current(), writes, commitTime)
      access.requireWrites(identity, store.current(), { steps, changes }, Math.floor(commitTime / 1000))
      for (const step of steps) {
        const name = names.nameOf(step.write.path)
        checkPrecondition(step, name)
        if (step.write.kind === 'update' && step.after) checkSize(step.write.path, step.after.fields, name)
      }
      store.apply(changes, commitTime)
      const verified = writes.filter(({ kind }) => kind === 'verify').length
      bill('writes', writes.length - verified)
      bill('reads', verified)
      return { steps, commitTime: timestampOf(commitTime) }
    } finally {
      done()
    }
  }

  return {
    async batchGet(
      identity: Identity,
      paths: readonly Path[],
      mask: readonly FieldPath[] | undefined,
      consistency: Consistency,
    ) {
      const distinct = [...new Set(paths)]
      const claims = distinct.map((path): Claim => ({ kind: 'document', path }))
      const { documents, begun } = await startReading(consistency, claims)
      for (const path of distinct) access.requireGet(identity, documents, path)
      bill('reads', distinct.length)
      const readTime = store.readTime()
      const answers = distinct.map((path) => {
        const document = documents.get(path)
        if (!document) return { missing: names.nameOf(path), readTime }
        const fields = mask ? selectFields(document.fields, mask) : document.fields
        return { found: wireDocument(path, document, fields), readTime }
      })
      return answers.length === 0
        ? [{ ...begun, readTime }]
        : answers.map((answer, i) => (i === 0 ? { ...begun, ...answer } : answer))
    },

    async runQuery(identity: Identity, query: Query, consistency: Consistency) {
      const { found, skipped, begun } = await find(identity, query, consistency)
      bill('reads', Math.max(1, found.length + skipped))
      const readTime = store.readTime()
      const first = { ...begun, ...(skipped > 0 ? { skippedResults: skipped } : {}) }
      const answer = (document: Found) => ({
        document: wireDocument(document.path, document, queries.selected(query, document)),
        readTime,
      })
      return found.length === 0
        ? [{ ...first, readTime }]
        : found.map((document, i) => (i === 0 ? { ...first, ...answer(document) } : answer(document)))
    },

    async commit(identity: Identity, writes: readonly Write[], transactionId?: string) {
      const { steps, commitTime } = await commit(identity, writes, transactionId)
      return {
        writeResults: steps.map(({ after, transformResults }) => ({
          ...(after ? { updateTime: after.updateTime } : {}),
          ...(transformResults.length > 0 ? { transformResults } : {}),
        })),
        commitTime,
      }
    },

    /** One write by itself; answers the document that it leaves. */
    async write(identity: Identity, write: Write) {
      const { steps } = await commit(identity, [write])
      const after = steps[0]?.after
      return after ? wireDocument(write.path, after, after.fields) : {}
    },

    beginTransaction: (kind: 'readWrite' | 'readOnly') => ({ transaction: transactions.begin(kind).id }),

    rollback(id: string) {
      transactions.end(transactions.get(id))
      return {}
    },
  }
}

export type Operations = ReturnType<typeof createOperations>
