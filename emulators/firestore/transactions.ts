import { randomBytes } from 'node:crypto'
import type { LockRequest, Locks } from './locks.ts'
import { createInvalidArgumentError } from './status.ts'
import type { DocumentStore, Documents } from './store.ts'

export interface OpenTransaction {
  /** In base64, as the protocol encodes bytes. */
  readonly id: string
  /** Set for a read-only transaction; others lock the documents that they read. */
  readonly snapshot: Documents | null
}

/** In real milliseconds, because they limit waits on the network. */
export interface TransactionLimits {
  readonly lockWaitMs: number
  /** Counted from the last call. */
  readonly idleMs: number
  readonly totalMs: number
}

/** As in the real service. */
export const TRANSACTION_LIMITS: TransactionLimits = { lockWaitMs: 20_000, idleMs: 60_000, totalMs: 270_000 }

/** A transaction holds its locks until it ends or expires. */
export function createTransactionManager(store: DocumentStore, locks: Locks, limits: TransactionLimits) {
  const open = new Map<
    string,
    { transaction: OpenTransaction; idle: NodeJS.Timeout; total: NodeJS.Timeout }
  >()

  const end = (transaction: OpenTransaction) => {
    const entry = open.get(transaction.id)
    if (!entry) return
    clearTimeout(entry.idle)
    clearTimeout(entry.total)
    open.delete(transaction.id)
    locks.release(transaction)
  }

  return {
    begin(kind: 'readWrite' | 'readOnly'): OpenTransaction {
      const id = randomBytes(18).toString('base64')
      const transaction = { id, snapshot: kind === 'readOnly' ? store.snapshot() : null }
      const expireAfter = (ms: number) => setTimeout(() => end(transaction), ms).unref()
      open.set(id, { transaction, idle: expireAfter(limits.idleMs), total: expireAfter(limits.totalMs) })
      return transaction
    },

    get(id: string): OpenTransaction {
      const entry = open.get(Buffer.from(id, 'base64').toString('base64'))
      if (!entry)
        throw createInvalidArgumentError('The referenced transaction has expired or is no longer valid.')
      entry.idle.refresh()
      return entry.transaction
    },

    /** Ends the transaction if that fails. */
    async lock(transaction: OpenTransaction, claims: readonly LockRequest[]) {
      try {
        await locks.acquire(transaction, claims)
      } catch (error) {
        end(transaction)
        throw error
      }
    },

    end,

    endAll() {
      for (const { transaction } of [...open.values()]) end(transaction)
    },
  }
}

export type TransactionManager = ReturnType<typeof createTransactionManager>
