import { Dexie, type DexieOptions, liveQuery, type Table } from 'dexie'
import type { MonthLedger } from '../../domain/capUse.ts'
import type { Contact } from '../../domain/contact.ts'
import { MINUTE } from '../../domain/duration.ts'
import type { Coverage } from '../../domain/gaps.ts'
import type { IdentityFile } from '../../domain/identity.ts'
import type { Invoice, InvoiceDraft, InvoicePayment } from '../../domain/invoice.ts'
import type { Profile } from '../../domain/profile.ts'
import type { Transaction } from '../../domain/transaction.ts'
import type { CheckedTransfer, TransferDraft } from '../../domain/transfer.ts'
import { withTimeout } from '../browser/withTimeout.ts'
import { type StorageProblem, storageProblem } from './deviceStorage.ts'
import { hasLeft, noteLeft } from './signedOutUsers.ts'

/** What goes with a row for its receipt. */
export interface ReceiptRow {
  /** What the person was called when the device saw the payment first; a later name does not change a receipt. */
  readonly senderName?: string
}

/** A transfer as the device keeps it: with the row goes what its receipt says. */
export interface KeptTransaction extends Transaction, ReceiptRow {
  /** This device has learned that it arrived, and the person was not told. */
  readonly arrivedSince?: boolean
}

/** A paid invoice as the device keeps it. */
export type KeptInvoicePayment = InvoicePayment & ReceiptRow

/** A payment that was begun on this device and whose end is not known here yet. Never holds card data. */
export interface OpenAttempt {
  readonly id: string
  readonly draft: TransferDraft
  readonly transfer: CheckedTransfer
  /** UTC milliseconds, by this device's clock. */
  readonly begunAt: number
  /** The same of a moment ago that the person was asked about and wanted once more. */
  readonly again: string | null
}

/** A form that was begun and not sent. Never holds card data. */
export interface KeptDraft {
  readonly id: 'transfer'
  readonly draft: TransferDraft
  /** UTC milliseconds, by this device's clock. */
  readonly keptAt: number
}

/** The same of an invoice. */
export interface OpenInvoiceAttempt {
  readonly id: string
  readonly draft: InvoiceDraft
  readonly invoice: Invoice
  /** UTC milliseconds, by this device's clock. */
  readonly begunAt: number
}

/** When the device last had the whole list. */
export interface Fetched {
  readonly id: 'invoicePayments'
  /** UTC milliseconds, by this device's clock. */
  readonly asOf: number
}

/** How much of the server's history is on this device. */
export interface HistoryState extends Coverage {
  readonly id: 'history'
  /** When the newest rows were last known to be all here, in UTC milliseconds by this device's clock. */
  readonly asOf: number | null
}

/** The person's identity files: what became of them, without details and addresses of documents. */
export interface KeptIdentity {
  readonly id: 'identity'
  readonly files: readonly IdentityFile[]
  /** When they were fetched, in UTC milliseconds by this device's clock. */
  readonly asOf: number
}

/** What the server counted of a month. */
export interface KeptLedger extends MonthLedger {
  /** UTC milliseconds, by this device's clock. */
  readonly asOf: number
}

/** What the device keeps for one person. Signing out deletes it whole. */
export class UserDatabase extends Dexie {
  declare readonly profiles: Table<Profile, string>
  declare readonly transactions: Table<KeptTransaction, string>
  declare readonly contacts: Table<Contact, string>
  declare readonly attempts: Table<OpenAttempt, string>
  declare readonly drafts: Table<KeptDraft, string>
  declare readonly sync: Table<HistoryState, string>
  declare readonly identity: Table<KeptIdentity, string>
  declare readonly invoicePayments: Table<KeptInvoicePayment, string>
  declare readonly invoiceAttempts: Table<OpenInvoiceAttempt, string>
  declare readonly fetched: Table<Fetched, string>
  declare readonly ledgers: Table<KeptLedger, string>

  constructor(uid: string, options?: DexieOptions) {
    // Rows are read-only everywhere, so that none needs a copy for each who asks.
    super(`${PREFIX}${uid}`, { cache: 'immutable', ...options })
    this.version(1).stores({
      profiles: 'uid',
      // A transfer without a delivery is not in the index of `delivery.stage`.
      transactions: 'id, createdAt, status, recipientPhone, delivery.stage',
      // The form looks up the contact of a number while it is typed.
      contacts: 'id, phone',
      attempts: 'id, begunAt',
      drafts: 'id',
      sync: 'id',
      identity: 'id',
      invoicePayments: 'id, createdAt',
      invoiceAttempts: 'id, begunAt',
      fetched: 'id',
      ledgers: 'month',
    })
  }
}

const PREFIX = 'passerelle-'

/** How long the device may take to open or delete what it keeps, in milliseconds. Nobody waits longer for a screen. */
const ANSWERS_WITHIN = 3000

/** How often a page opens anew what the device takes away from it within a short time, before it does without. */
const MOST_REOPENINGS = 3

/** What a short time is, in milliseconds. iOS takes the database of an app in the background, all day long. */
const REOPENINGS_WITHIN = MINUTE

interface Current {
  readonly uid: string
  readonly database: Promise<UserDatabase>
}

let current: Current | null = null
/** When the device took the database away, of late. UTC milliseconds by its clock. */
let losses: readonly number[] = []
/** These functions are called when queries have to go to another database. */
const followers = new Set<() => void>()

/**
 * The database of the person; the one of a person before is closed. Where the device keeps nothing, or does not answer
 * in time, it is one in memory that ends with the page. It fails only for somebody who has signed out here.
 */
export async function databaseOf(uid: string): Promise<UserDatabase> {
  refuseWhoLeft(uid)
  if (current?.uid !== uid) {
    closeCurrent()
    losses = []
    storageProblem.set(null)
  }
  const mine = current ?? become(uid, openKept(uid))
  const database = await mine.database
  refuseWhoLeft(uid)
  return database
}

/** Does the work with the rows; when the device fails in the middle, once more with rows that it does keep. */
export async function withRows<T>(uid: string, work: (database: UserDatabase) => Promise<T>): Promise<T> {
  for (let failures = 1; ; failures += 1) {
    const database = await databaseOf(uid)
    try {
      return await work(database)
    } catch (error) {
      await recover(uid, database, error, failures)
    }
  }
}

/** Tells what the query finds, now and after each change of the rows it read, until stopped. */
export function watchRows<T>(
  uid: string,
  query: (database: UserDatabase, uid: string) => Promise<T>,
  listener: (found: T) => void,
): () => void {
  let turn = 0
  let stopWatching = () => {}
  const begin = async () => {
    turn += 1
    const now = turn
    stopWatching()
    const database = await databaseOf(uid)
    if (now !== turn) return
    const watch = liveQuery(() => query(database, uid)).subscribe({
      next: (found) => now === turn && listener(found),
      error: (error) => recover(uid, database, error).then(() => now === turn && start(), ignore),
    })
    stopWatching = () => watch.unsubscribe()
  }
  // Somebody who has signed out here has no rows.
  const start = () => void begin().catch(ignore)
  followers.add(start)
  start()
  return () => {
    turn += 1
    followers.delete(start)
    stopWatching()
  }
}

/** Deletes everything that the device keeps for the person, in every tab, and drops what still arrives for them. */
export async function forgetUser(uid: string): Promise<void> {
  noteLeft(uid)
  tabs?.postMessage({ left: uid })
  await wipe(uid)
}

// Somebody has signed out in this tab. Another tab still holds their rows, and may be about to write more.
const tabs = globalThis.BroadcastChannel ? new BroadcastChannel('passerelle.presence') : null
tabs?.addEventListener('message', ({ data: { left } }: MessageEvent<{ left: string }>) => {
  noteLeft(left)
  wipe(left).catch(ignore)
})

async function wipe(uid: string) {
  if (current?.uid === uid) closeCurrent()
  // A device that hangs keeps nobody signed in.
  await withTimeout(Dexie.delete(`${PREFIX}${uid}`), ANSWERS_WITHIN, () => new TooSlow())
}

function refuseWhoLeft(uid: string) {
  if (hasLeft(uid)) throw new Error('This person has left the device')
}

function become(uid: string, database: Promise<UserDatabase>): Current {
  const next = { uid, database }
  current = next
  database.catch(() => {
    if (current === next) current = null
  })
  return next
}

function closeCurrent() {
  current?.database.then((database) => database.close(), ignore)
  current = null
}

async function openKept(uid: string): Promise<UserDatabase> {
  const database = new UserDatabase(uid)
  database.on('versionchange', ({ newVersion }) => {
    if (newVersion) return
    // Another tab has deleted it. If it opened again by itself, it would exist again for somebody who has signed out.
    database.close()
    return false
  })
  try {
    await withTimeout(database.open(), ANSWERS_WITHIN, () => new TooSlow())
    return database
  } catch (error) {
    database.close()
    storageProblem.set(problemOf(error))
    return openInMemory(uid)
  }
}

/** The same database, held by this page alone. */
async function openInMemory(uid: string): Promise<UserDatabase> {
  const { IDBFactory, IDBKeyRange } = await import('fake-indexeddb')
  return new UserDatabase(`memory-${uid}`, { indexedDB: new IDBFactory(), IDBKeyRange })
}

/**
 * After the device failed: makes another database current, or passes on what is no fault of the device. `failures`: how
 * often the same work failed, this time included.
 */
async function recover(uid: string, failed: UserDatabase, error: unknown, failures = 1) {
  refuseWhoLeft(uid)
  if (!isOfDevice(error) || isInMemory(failed)) throw error
  if (current?.uid !== uid || (await current.database) !== failed) return
  failed.close()
  const problem = problemOf(error)
  const isOver = problem === 'full' || Math.max(lossesOfLate(), failures) > MOST_REOPENINGS
  if (isOver) storageProblem.set(problem)
  become(uid, isOver ? openInMemory(uid) : openKept(uid))
  for (const follow of followers) follow()
}

/** Notes a failure and answers how many there were lately. A time far ahead is from before the clock was set back: it is forgotten too. */
function lossesOfLate(): number {
  const now = Date.now()
  losses = [...losses.filter((at) => Math.abs(now - at) < REOPENINGS_WITHIN), now]
  return losses.length
}

const isInMemory = ({ name }: UserDatabase) => name.startsWith(`${PREFIX}memory-`)

const isOfDevice = (error: unknown) => error instanceof Dexie.DexieError || error instanceof DOMException

function problemOf(error: unknown): StorageProblem {
  if (error instanceof TooSlow) return 'held'
  if (!(error instanceof Error)) return 'broken'
  if (error.name === 'QuotaExceededError') return 'full'
  const { inner, failures } = error as Error & { inner?: unknown; failures?: readonly unknown[] }
  const cause = inner ?? failures?.[0]
  return cause === error ? 'broken' : problemOf(cause)
}

class TooSlow extends Error {}

function ignore() {}
