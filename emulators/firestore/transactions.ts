import { randomBytes } from 'node:crypto'
import type { Claim, Locks } from './locks.ts'
import { invalidArgument } from './status.ts'
import type { Documents, Store } from './store.ts'

export interface Transaction {
  /** As the protocol writes bytes: base64. */
  readonly id: string
  /** What a read-only transaction reads; null for one that locks what it reads. */
  readonly snapshot: Documents | null
}

/** In real milliseconds, whatever the sandbox's clock says: they bound what the network does. */
export interface TransactionLimits {
  /** How long somebody waits for a lock. */
  readonly lockWaitMs: number
  /** How long a transaction lives after its last call. */
  readonly idleMs: number
  /** How long a transaction lives. */
  readonly totalMs: number
}

/** The real service's. */
export const TRANSACTION_LIMITS: TransactionLimits = { lockWaitMs: 20_000, idleMs: 60_000, totalMs: 270_000 }

/** The open transactions. Each holds its locks until it ends or expires. */
export function createTransactions(store: Store, locks: Locks, limits: TransactionLimits) {
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

    /** The open transaction with this id. Refuses one that is over. */
    get(id: string): Transaction {
      const entry = open.get(Buffer.from(id, 'base64').toString('base64'))
      if (!entry) throw invalidArgument('The referenced transaction has expired or is no longer valid.')
      entry.idle.refresh()
      return entry.transaction
    },

    /** Locks for a transaction; it is over when it can't have them. */
    async lock(transaction: Transaction, claims: readonly Claim[]) {
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

export type Transactions = ReturnType<typeof createTransactions>
