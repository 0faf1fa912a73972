import { Dexie, liveQuery, type Table } from 'dexie'
import type { Profile } from '../domain/profile.ts'
import type { Transaction } from '../domain/transaction.ts'
import type { CheckedTransfer, TransferDraft } from '../domain/transfer.ts'
import { hasLeft, noteLeft } from './presence.ts'

/** A payment that was begun on this device and whose end is not known here yet. Never holds card data. */
export interface OpenAttempt {
  readonly id: string
  readonly draft: TransferDraft
  readonly transfer: CheckedTransfer
  /** UTC milliseconds, by this device's clock. */
  readonly begunAt: number
}

/** What the device keeps for one person. Signing out deletes it whole. */
export class UserDatabase extends Dexie {
  declare readonly profiles: Table<Profile, string>
  declare readonly transactions: Table<Transaction, string>
  declare readonly attempts: Table<OpenAttempt, string>

  constructor(uid: string) {
    super(`${PREFIX}${uid}`)
    this.version(1).stores({ profiles: 'uid', transactions: 'id, createdAt', attempts: 'id, begunAt' })
  }
}

const PREFIX = 'passerelle-'
let current: { uid: string; database: UserDatabase } | null = null

/** The database of the person; the one of a person before is closed. Fails for who has left the device. */
export function databaseOf(uid: string): UserDatabase {
  if (hasLeft(uid)) throw new Error('This person has left the device')
  if (current?.uid !== uid) {
    current?.database.close()
    current = { uid, database: new UserDatabase(uid) }
  }
  return current.database
}

/** Tells what the query finds, now and after each change of the rows it read, until stopped. */
export function watchRows<T>(
  uid: string,
  query: (database: UserDatabase, uid: string) => Promise<T>,
  listener: (found: T) => void,
): () => void {
  const rows = liveQuery(() => query(databaseOf(uid), uid))
  // A device that can't keep rows has none to tell.
  const watch = rows.subscribe({ next: listener, error: () => undefined })
  return () => watch.unsubscribe()
}

/** Deletes everything that the device keeps for the person, and drops what still arrives for them. */
export async function forgetUser(uid: string): Promise<void> {
  noteLeft(uid)
  if (current?.uid === uid) {
    current.database.close()
    current = null
  }
  await Dexie.delete(`${PREFIX}${uid}`)
}
