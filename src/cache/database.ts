import { type DBCore, Dexie, type DexieOptions, liveQuery, type Table } from 'dexie'
import type { IdentityFile } from '../../domain/account/identity.ts'
import type { Profile } from '../../domain/account/profile.ts'
import { MINUTE, SECOND } from '../../domain/common/duration.ts'
import type { InvoicePayment } from '../../domain/invoices/invoice.ts'
import type { Contact } from '../../domain/people/contact.ts'
import type { MonthLedger } from '../../domain/prices/capUse.ts'
import type { HistoryCoverage } from '../../domain/records/historyCoverage.ts'
import type { TransferDraft } from '../../domain/transfers/shapes/draftSchema.ts'
import type { Transaction } from '../../domain/transfers/transaction.ts'
import type { CheckoutAttempt, CheckoutParts } from '../../machines/checkoutTypes.ts'
import type { InvoiceParts } from '../../machines/invoice.ts'
import type { TransferParts } from '../../machines/transfer.ts'
import { openChannel } from '../browser/openChannel.ts'
import { deviceStore } from '../browser/storage.ts'
import { withTimeout } from '../browser/withTimeout.ts'
import { type StorageProblem, storageProblemStore } from './deviceStorage.ts'
import { hasSignedOut, markSignedOut } from './signedOutUsers.ts'

export interface StoredTransaction extends Transaction {
  /** Whether the transfer has arrived and the user has not seen that yet. */
  readonly arrivedSince?: boolean
}

/** Never holds card data. */
export type OpenAttempt<Parts extends CheckoutParts = TransferParts> = CheckoutAttempt<Parts> & {
  /** UTC milliseconds, by this device's clock. */
  readonly begunAt: number
}

/** Never holds card data. */
export interface StoredDraft {
  readonly id: 'transfer'
  /** Names the form in each attempt to pay it, so that the server can tell whether one was charged. */
  readonly draftId: string
  readonly draft: TransferDraft
  /** UTC milliseconds, by this device's clock. */
  readonly keptAt: number
}

export interface FetchedList {
  readonly id: 'invoicePayments'
  /** UTC milliseconds, by this device's clock. */
  readonly asOf: number
}

/** A row of the server that this device lacks, because a build of the app could not read it. */
export interface UnreadRow {
  readonly id: string
  readonly list: 'transactions' | 'invoicePayments'
  /** The build that tried last. */
  readonly build: string
}

export interface HistoryState extends HistoryCoverage {
  readonly id: 'history'
  /** UTC milliseconds, by this device's clock; null until the newest rows were all here. */
  readonly asOf: number | null
}

export interface StoredIdentity {
  readonly id: 'identity'
  readonly files: readonly IdentityFile[]
  /** UTC milliseconds, by this device's clock. */
  readonly asOf: number
}

export interface StoredLedger extends MonthLedger {
  /** UTC milliseconds, by this device's clock. */
  readonly asOf: number
}

/** Signing out deletes the database. */
export class UserDatabase extends Dexie {
  declare readonly profiles: Table<Profile, string>
  declare readonly transactions: Table<StoredTransaction, string>
  declare readonly contacts: Table<Contact, string>
  declare readonly attempts: Table<OpenAttempt, string>
  declare readonly drafts: Table<StoredDraft, string>
  declare readonly sync: Table<HistoryState, string>
  declare readonly identity: Table<StoredIdentity, string>
  declare readonly invoicePayments: Table<InvoicePayment, string>
  declare readonly invoiceAttempts: Table<OpenAttempt<InvoiceParts>, string>
  declare readonly fetched: Table<FetchedList, string>
  declare readonly ledgers: Table<StoredLedger, string>
  declare readonly unread: Table<UnreadRow, string>

  constructor(uid: string, options?: DexieOptions) {
    // With Dexie's cache (4.4.7), one of two equal live queries sometimes misses rows.
    super(`${PREFIX}${uid}`, { cache: 'disabled', ...options })
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
      unread: 'id, list',
    })
  }
}

const PREFIX = 'passerelle-'

/** In milliseconds. */
const ANSWERS_WITHIN = 3000

/** After a crash, some browsers open a database whose transactions never end. */
const MAX_TRANSACTION_SECONDS = 5

const MAX_REOPENINGS = 3

/** In milliseconds. */
const NEXT_TRY = 10 * SECOND

/** In milliseconds. Rarer losses are normal: iOS closes the database of an app in the background. */
const REOPENINGS_WITHIN = MINUTE

interface Current {
  readonly uid: string
  readonly database: Promise<UserDatabase>
}

type Work = (database: UserDatabase) => Promise<unknown>

let current: Current | null = null
/** Work with writes that a slow device has yet to repeat; null while no device is slow. */
let missed: Work[] | null = null
let writesInMemory = 0
/** UTC milliseconds, by this device's clock. */
let losses: readonly number[] = []
/** Callbacks that move the watched queries to the current database. */
const followers = new Set<() => void>()

/**
 * If the device stores nothing or hangs, the database is in memory. @throws only for a user who has signed
 * out on this device.
 */
export async function openUserDatabase(uid: string): Promise<UserDatabase> {
  assertNotSignedOut(uid)
  if (current?.uid !== uid) {
    closeCurrent()
    losses = []
    if (storageProblemStore.get()) storageProblemStore.set(null)
  }
  const opened = current ?? setCurrent(uid, openOnDevice(uid))
  const database = await opened.database
  assertNotSignedOut(uid)
  return database
}

/**
 * If the device's storage fails or hangs during the work, the work runs again on a reopened or in-memory
 * database. A device that was only slow repeats the writes later.
 */
export async function withRows<T>(uid: string, work: (database: UserDatabase) => Promise<T>): Promise<T> {
  for (let failures = 1; ; failures += 1) {
    const database = await openUserDatabase(uid)
    const writesBefore = writesInMemory
    try {
      const found = await withDeviceTimeout(work(database))
      if (current?.uid !== uid || !isInMemory(database)) return found
      if (writesInMemory > writesBefore) missed?.push(work)
      // Otherwise, the device has taken over during the work.
      if (missed || storageProblemStore.get()) return found
    } catch (error) {
      await recover(uid, database, error, failures)
    }
  }
}

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
    const database = await openUserDatabase(uid)
    if (now !== turn) return
    const fail = (error: unknown) => recover(uid, database, error).then(() => now === turn && start(), ignore)
    const stopTimer = startDeviceTimer(() => fail(new DeviceTimeoutError()))
    const watch = liveQuery(() => query(database, uid)).subscribe({
      next(found) {
        stopTimer()
        if (now === turn) listener(found)
      },
      error(error) {
        stopTimer()
        fail(error)
      },
    })
    stopWatching = () => {
      stopTimer()
      watch.unsubscribe()
    }
  }
  // A user who has signed out on this device has no rows.
  const start = () => void begin().catch(ignore)
  followers.add(start)
  start()
  return () => {
    turn += 1
    followers.delete(start)
    stopWatching()
  }
}

/** Responses that arrive later are discarded. */
export async function forgetUser(uid: string): Promise<void> {
  markSignedOut(uid)
  tabs?.postMessage({ left: uid })
  await wipe(uid)
}

// After a sign-out in one tab, the others may be about to write more rows.
const tabs = openChannel('passerelle.presence')
tabs?.addEventListener('message', ({ data: { left } }: MessageEvent<{ left: string }>) => {
  // A tab that was asleep reads the message late, when the user may have signed in again.
  if (deviceStore.get('clearing') !== left) return current?.uid === left && closeCurrent()
  markSignedOut(left)
  wipe(left).catch(ignore)
})

async function wipe(uid: string) {
  if (current?.uid === uid) closeCurrent()
  // A device that hangs must not prevent a sign-out.
  await withTimeout(Dexie.delete(`${PREFIX}${uid}`), ANSWERS_WITHIN, () => new DeviceTimeoutError())
}

function assertNotSignedOut(uid: string) {
  if (hasSignedOut(uid)) throw new Error('The user has signed out of this device')
}

function setCurrent(uid: string, database: Promise<UserDatabase>): Current {
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
  missed = null
}

async function openOnDevice(uid: string): Promise<UserDatabase> {
  const device = createOnDevice(uid)
  try {
    await withTimeout(device.open(), ANSWERS_WITHIN, () => new DeviceTimeoutError())
    return device
  } catch (error) {
    if (current?.uid === uid) return replaceByMemory(uid, device, toStorageProblem(error))
    device.close()
    throw error
  }
}

function createOnDevice(uid: string): UserDatabase {
  const database = new UserDatabase(uid)
  database.on('versionchange', ({ newVersion }) => {
    if (newVersion) return
    // Dexie would create a database again that another tab has deleted.
    database.close()
    return false
  })
  return database
}

function replaceByMemory(uid: string, device: UserDatabase, problem: StorageProblem): Promise<UserDatabase> {
  storageProblemStore.set(problem)
  if (problem === 'held') returnToDevice(uid, device)
  else device.close()
  return openInMemory(uid)
}

/** When the device answers, it repeats the work that was done in memory, and takes over again. */
async function returnToDevice(uid: string, slow: UserDatabase) {
  const works: Work[] = []
  missed = works
  for (let device = slow; missed === works; device = createOnDevice(uid)) {
    try {
      await device.transaction('rw', device.tables, () => device.profiles.count())
      for (let work = works[0]; work && missed === works; work = works[0]) {
        await work(device).catch(throwDeviceError)
        works.shift()
      }
      if (missed !== works) return device.close()
      missed = null
      setCurrent(uid, Promise.resolve(device))
      storageProblemStore.set(null)
      for (const follow of followers) follow()
      return
    } catch {
      device.close()
      await new Promise((resolve) => setTimeout(resolve, NEXT_TRY))
    }
  }
}

const NO_DATABASES = {
  open(): never {
    throw new DOMException('This browser has no databases', 'UnknownError')
  },
} as unknown as IDBFactory

async function openInMemory(uid: string): Promise<UserDatabase> {
  const { IDBFactory, IDBKeyRange } = await import('fake-indexeddb')
  // In a browser without databases, Dexie's live queries never run, not even on this one.
  Dexie.dependencies.indexedDB ??= NO_DATABASES
  const database = new UserDatabase(`memory-${uid}`, { indexedDB: new IDBFactory(), IDBKeyRange })
  return database.use({ stack: 'dbcore', create: countWrites })
}

const countWrites = (core: DBCore): DBCore => ({
  ...core,
  transaction(tables, mode, options) {
    if (mode === 'readwrite') writesInMemory += 1
    return core.transaction(tables, mode, options)
  },
})

/**
 * @param failures how often the same work has failed, this time included
 * @throws the error itself if the device didn't cause it.
 */
async function recover(uid: string, failed: UserDatabase, error: unknown, failures = 1) {
  assertNotSignedOut(uid)
  if (!isDeviceError(error) || isInMemory(failed)) throw error
  if (current?.uid !== uid || (await current.database) !== failed) return
  const problem = toStorageProblem(error)
  const isOver = problem !== 'broken' || Math.max(countRecentLosses(), failures) > MAX_REOPENINGS
  if (!isOver) failed.close()
  setCurrent(uid, isOver ? replaceByMemory(uid, failed, problem) : openOnDevice(uid))
  for (const follow of followers) follow()
}

/** Ignores an instant far in the future, which was noted before the clock was set back. */
function countRecentLosses(): number {
  const now = Date.now()
  losses = [...losses.filter((at) => Math.abs(now - at) < REOPENINGS_WITHIN), now]
  return losses.length
}

/** Such a database knows nothing of earlier pages. */
export const isInMemory = ({ name }: UserDatabase) => name.startsWith(`${PREFIX}memory-`)

const isDeviceError = (error: unknown) =>
  error instanceof Dexie.DexieError || error instanceof DOMException || error instanceof DeviceTimeoutError

function throwDeviceError(error: unknown) {
  if (isDeviceError(error)) throw error
}

function toStorageProblem(error: unknown): StorageProblem {
  if (error instanceof DeviceTimeoutError) return 'held'
  if (!(error instanceof Error)) return 'broken'
  if (error.name === 'QuotaExceededError') return 'full'
  const { inner, failures } = error as Error & { inner?: unknown; failures?: readonly unknown[] }
  const cause = inner ?? failures?.[0]
  return cause === error ? 'broken' : toStorageProblem(cause)
}

class DeviceTimeoutError extends Error {}

/** Counts only seconds in which the page could have handled the device's answer. */
function startDeviceTimer(onLate: () => void): () => void {
  let seconds = 0
  const timer = setInterval(() => {
    seconds += 1
    if (seconds < MAX_TRANSACTION_SECONDS) return
    clearInterval(timer)
    onLate()
  }, SECOND)
  return () => clearInterval(timer)
}

async function withDeviceTimeout<T>(work: Promise<T>): Promise<T> {
  let stopTimer = () => {}
  const late = new Promise<never>((_, reject) => {
    stopTimer = startDeviceTimer(() => reject(new DeviceTimeoutError()))
  })
  return Promise.race([work, late]).finally(() => stopTimer())
}

function ignore() {}
