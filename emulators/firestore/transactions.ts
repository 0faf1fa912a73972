import { randomBytes } from 'node:crypto'
import type { LockRequest, Locks } from './locks.ts'
import { createInvalidArgumentError } from './status.ts'
import type { Documents, Store } from './store.ts'

export interface Transaction {
  /** Transaction ID in base64, as the protocol encodes bytes. */
  readonly id: string
  /**
   * The documents that a read-only transaction sees; null for a transaction that locks the documents it
   * reads.
   */
  readonly snapshot: Documents | null
}

/**
 * Limits in real milliseconds, independent of the emulators' clock, because they limit waits on the network.
 */
export interface TransactionLimits {
  /** Longest wait for a lock. */
  readonly lockWaitMs: number
  /** Time to live after the last call. */
  readonly idleMs: number
  /** Time to live in total. */
  readonly totalMs: number
}

/** Limits of the real service. */
export const TRANSACTION_LIMITS: TransactionLimits = { lockWaitMs: 20_000, idleMs: 60_000, totalMs: 270_000 }

/** Creates the list of open transactions. A transaction holds its locks until it ends or expires. */
export function createTransactionManager(store: Store, locks: Locks, limits: TransactionLimits) {
  const open = new Map<string, { transaction: Transaction; idle: NodeJS.Timeout; total: NodeJS.Timeout }>()

  const end = (transaction: Transaction) => {
    const entry = open.get(transaction.id)
    if (!entry) return
    clearTimeout(entry.idle)
    clearTimeout(entry.total)
    open.delete(transaction.id)
    locks.release(transaction)
  }

  return {
    begin(kind: 'readWrite' | 'readOnly'): Transaction {
      const id = randomBytes(18).toString('base64')
      const transaction = { id, snapshot: kind === 'readOnly' ? store.snapshot() : null }
      const expireAfter = (ms: number) => setTimeout(() => end(transaction), ms).unref()
      open.set(id, { transaction, idle: expireAfter(limits.idleMs), total: expireAfter(limits.totalMs) })
      return transaction
    },

    /** Returns an open transaction and restarts its idle time; throws if the transaction has ended. */
    get(id: string): Transaction {
      const entry = open.get(Buffer.from(id, 'base64').toString('base64'))
      if (!entry)
        throw createInvalidArgumentError('The referenced transaction has expired or is no longer valid.')
      entry.idle.refresh()
      return entry.transaction
    },

    /** Acquires locks for a transaction; ends the transaction if that fails. */
    async lock(transaction: Transaction, claims: readonly LockRequest[]) {
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
