import { MINUTE } from '../../domain/common/duration.ts'
import 'fake-indexeddb/auto'
import { Dexie } from 'dexie'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Contact } from '../../domain/people/contact.ts'
import { EMPTY_SUBSCRIPTION } from '../../domain/prices/plans.ts'
import { deviceStore } from '../browser/storage.ts'
import { forgetUser, openUserDatabase, type UserDatabase, watchRows, withRows } from './database.ts'
import { storageProblemStore } from './deviceStorage.ts'
import { unmarkSignedOut } from './signedOutUsers.ts'

const profile = (uid: string) => ({
  uid,
  email: null,
  name: uid,
  phone: null,
  subscription: EMPTY_SUBSCRIPTION,
})

const names = async () => (await Dexie.getDatabaseNames()).sort()
const put = (uid: string) => withRows(uid, ({ profiles }) => profiles.put(profile(uid)))
const profiles = (uid: string) => withRows(uid, (database) => database.profiles.toArray())

const { indexedDB } = Dexie.dependencies

beforeEach(async () => {
  for (const name of await Dexie.getDatabaseNames()) await forgetUser(name.replace('passerelle-', ''))
})

afterEach(() => {
  Dexie.dependencies.indexedDB = indexedDB
  vi.useRealTimers()
  vi.restoreAllMocks()
})

test('the database of a user contains only that user’s rows', async () => {
  unmarkSignedOut('ada')
  await put('ada')
  expect(await profiles('bea')).toEqual([])
  expect(await profiles('ada')).toEqual([profile('ada')])
})

test('forgetUser deletes the database of one user and keeps the others', async () => {
  unmarkSignedOut('ada')
  unmarkSignedOut('bea')
  await put('ada')
  await put('bea')
  await forgetUser('bea')
  expect(await names()).toEqual(['passerelle-ada'])
})

test('withRows rejects for a signed-out user until the user returns', async () => {
  await put('cleo')
  const late = withRows('cleo', async (database) => {
    await forgetUser('cleo')
    return database.profiles.put(profile('cleo'))
  })
  await expect(late).rejects.toThrow('signed out of this device')
  await expect(openUserDatabase('cleo')).rejects.toThrow('signed out of this device')
  expect(await names()).not.toContain('passerelle-cleo')
  unmarkSignedOut('cleo')
  expect(await profiles('cleo')).toEqual([])
})

function openAs(open: (...request: Parameters<IDBFactory['open']>) => unknown) {
  Dexie.dependencies.indexedDB = Object.create(indexedDB, { open: { value: open } })
}

function watched(uid: string) {
  const notified: string[][] = []
  const stop = watchRows(
    uid,
    async (database: UserDatabase) => (await database.profiles.toArray()).map(({ name }) => name),
    (found) => notified.push(found),
  )
  return { notified, stop }
}

async function yieldOften(times: number) {
  for (let done = 0; done < times; done += 1) await new Promise((resolve) => setImmediate(resolve))
}

// About one round in 180 failed with Dexie's cache.
test('two screens with one query show rows that arrive meanwhile', async () => {
  const query = async (database: UserDatabase) => ({
    rows: await database.profiles.orderBy('uid').reverse().limit(6).toArray(),
    names: await database.contacts.toArray(),
  })
  for (let round = 0; round < 100; round += 1) {
    const uid = `aminata${round}`
    const shown = [-1, -1]
    const watch = (screen: number) =>
      watchRows(uid, query, ({ rows }) => {
        shown[screen] = rows.length
      })
    const stopFirst = watch(0)
    await yieldOften(1)
    const stopSecond = watch(1)
    await yieldOften(10 + (round % 25))
    await put(uid)
    await vi.waitFor(() => expect(shown, `round ${round}`).toEqual([1, 1]), { interval: 5, timeout: 5000 })
    stopFirst()
    stopSecond()
  }
})

test('the database is created again after it was deleted while open', async () => {
  await put('fanta')
  const { notified, stop } = watched('fanta')
  await vi.waitFor(() => expect(notified).toEqual([['fanta']]))
  await Dexie.delete('passerelle-fanta')
  await withRows('fanta', ({ profiles: rows }) => rows.put({ ...profile('fanta'), name: 'Fantoumata' }))
  await vi.waitFor(() => expect(notified.at(-1)).toEqual(['Fantoumata']))
  expect(storageProblemStore.get()).toBe(null)
  expect(await names()).toEqual(['passerelle-fanta'])
  stop()
})

test('the database reopens a connection that the system closed', async () => {
  await put('gani')
  const broken = vi.spyOn(IDBDatabase.prototype, 'transaction')
  for (let times = 0; times < 5; times += 1)
    broken.mockImplementationOnce(() => {
      throw new DOMException('The connection is closing.', 'InvalidStateError')
    })
  vi.spyOn(console, 'warn').mockReturnValue()
  expect(await profiles('gani')).toEqual([profile('gani')])
  expect(storageProblemStore.get()).toBe(null)
})

test('the database uses memory and reports when the device refuses it', async () => {
  openAs(() => {
    throw new DOMException('The user denied permission to access the database.', 'UnknownError')
  })
  vi.spyOn(console, 'warn').mockReturnValue()
  const { notified, stop } = watched('hawa')
  await put('hawa')
  expect(storageProblemStore.get()).toBe('broken')
  await vi.waitFor(() => expect(notified.at(-1)).toEqual(['hawa']))
  expect(await profiles('hawa')).toEqual([profile('hawa')])
  stop()
  await forgetUser('hawa')
  unmarkSignedOut('hawa')
  Dexie.dependencies.indexedDB = indexedDB
  expect(await profiles('hawa')).toEqual([])
  expect(storageProblemStore.get()).toBe(null)
})

test('the database uses memory on a device without storage', async () => {
  Dexie.dependencies.indexedDB = undefined as unknown as IDBFactory
  const { notified, stop } = watched('ilias')
  await put('ilias')
  expect(await profiles('ilias')).toEqual([profile('ilias')])
  expect(storageProblemStore.get()).toBe('broken')
  await vi.waitFor(() => expect(notified.at(-1)).toEqual(['ilias']))
  stop()
})

test('the database uses memory when the device does not respond in time', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  openAs(() => ({}))
  const waiting = profiles('jaba')
  await vi.advanceTimersByTimeAsync(3000)
  vi.useRealTimers()
  expect(await waiting).toEqual([])
  expect(storageProblemStore.get()).toBe('held')
})

test('the database moves to memory when the disk is full', async () => {
  await put('kadi')
  vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementationOnce(() => {
    throw full()
  })
  const { notified, stop } = watched('kadi')
  await vi.waitFor(() => expect(notified).toEqual([['kadi']]))
  await withRows('kadi', ({ profiles: rows }) => rows.put({ ...profile('kadi'), name: 'Kadiatou' }))
  expect(storageProblemStore.get()).toBe('full')
  await vi.waitFor(() => expect(notified.at(-1)).toEqual(['Kadiatou']))
  stop()
})

// Dexie's types lack the errors that it passes on.
const BulkError = Dexie.BulkError as new (message: string, failures: Error[]) => Error

test.each([
  ['the end of a transaction', Object.assign(new Dexie.AbortError('Transaction aborted'), { inner: full() })],
  ['one of several rows', new BulkError('1 of 2 operations failed', [full()])],
])('the database reports a disk full at %s as full, not broken', async (_, error) => {
  unmarkSignedOut('lala')
  await put('lala')
  let tries = 0
  const done = await withRows('lala', async () => {
    tries += 1
    if (tries === 1) throw error
    return 'done'
  })
  expect([done, tries, storageProblemStore.get()]).toEqual(['done', 2, 'full'])
})

function full() {
  return new DOMException('The disk is full.', 'QuotaExceededError')
}

test('the database uses memory after four failures of the same work', async () => {
  await put('moussa')
  const seen: string[] = []
  const done = await withRows('moussa', async (database) => {
    seen.push(database.name)
    if (!database.name.includes('memory')) throw new Dexie.UnknownError('Internal error')
    return 'done'
  })
  expect(done).toBe('done')
  expect(storageProblemStore.get()).toBe('broken')
  expect(seen).toEqual([...Array(4).fill('passerelle-moussa'), 'passerelle-memory-moussa'])
})

test('the database reopens a connection closed once a minute without limit', async () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  const taken = vi.spyOn(IDBDatabase.prototype, 'transaction')
  await put('maimouna')
  const { notified, stop } = watched('maimouna')
  await vi.waitFor(() => expect(notified).toEqual([['maimouna']]))
  for (const name of ['Une', 'Deux', 'Trois', 'Quatre', 'Cinq', 'Six', 'Sept']) {
    vi.setSystemTime(Date.now() + MINUTE)
    // Safari's message after the app was in the background.
    taken.mockImplementationOnce(() => {
      throw new DOMException('Connection to Indexed Database server lost.', 'UnknownError')
    })
    await withRows('maimouna', ({ profiles: rows }) => rows.put({ ...profile('maimouna'), name }))
    await vi.waitFor(() => expect(notified.at(-1)).toEqual([name]))
    expect(storageProblemStore.get()).toBe(null)
  }
  expect((await openUserDatabase('maimouna')).name).toBe('passerelle-maimouna')
  stop()
})

test('four failures minutes apart still move the database to memory', async () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  const seen: string[] = []
  const done = await withRows('nabou', async (database) => {
    seen.push(database.name)
    vi.setSystemTime(Date.now() + 10 * MINUTE)
    if (!database.name.includes('memory')) throw new Dexie.UnknownError('Internal error')
    return 'done'
  })
  expect(done).toBe('done')
  expect(storageProblemStore.get()).toBe('broken')
  expect(seen).toEqual([...Array(4).fill('passerelle-nabou'), 'passerelle-memory-nabou'])
})

test('watchRows moves to memory when its query fails each time', async () => {
  await put('oulimata')
  const stop = watchRows(
    'oulimata',
    (database) => {
      if (database.name.includes('memory')) return database.profiles.count()
      return Promise.reject(new Dexie.UnknownError('Internal error'))
    },
    () => {},
  )
  await vi.waitFor(() => expect(storageProblemStore.get()).toBe('broken'))
  stop()
})

test.each([
  ['a write or a read', (uid: string) => withRows(uid, (database) => workInMemoryOnly(database))],
  [
    'a watched query',
    (uid: string) =>
      new Promise((resolve) => watchRows(uid, (database) => workInMemoryOnly(database), resolve)),
  ],
])('the database uses memory when ending %s takes too long', async (what, begin) => {
  const uid = `pauline ${what}`
  await put(uid)
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  const waiting = begin(uid)
  await vi.advanceTimersByTimeAsync(5000)
  vi.useRealTimers()
  expect(await waiting).toBe('done')
  expect(storageProblemStore.get()).toBe('held')
  unmarkSignedOut(uid)
})

/** Ends in memory; on the device, it hangs as in a transaction that never ends. */
const workInMemoryOnly = ({ name }: UserDatabase): Promise<string> =>
  name.includes('memory') ? Promise.resolve('done') : new Promise(() => {})

/** Another tab keeps a transaction on all tables open. Returns a function that ends it. */
async function hang(uid: string): Promise<() => void> {
  const opening = indexedDB?.open(`passerelle-${uid}`) as IDBOpenDBRequest
  const database = await new Promise<IDBDatabase>((resolve) => {
    opening.onsuccess = () => resolve(opening.result)
  })
  let isOver = false
  const held = database.transaction([...database.objectStoreNames], 'readwrite').objectStore('profiles')
  const hold = () => {
    if (isOver) database.close()
    else held.count().onsuccess = hold
  }
  hold()
  return () => {
    isOver = true
  }
}

const rename = (uid: string, name: string) =>
  withRows(uid, ({ profiles }) => profiles.put({ ...profile(uid), name }))

/** The device hangs for longer than the app waits. Returns a function that ends it. */
async function hangLong(uid: string, work: () => Promise<unknown>) {
  const end = await hang(uid)
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'setTimeout', 'clearTimeout'] })
  const working = work()
  await vi.advanceTimersByTimeAsync(5000)
  await working
  expect(storageProblemStore.get()).toBe('held')
  return end
}

test('a slow device takes over again, with the work done in memory', async () => {
  await put('rama')
  await withRows('rama', ({ contacts }) => contacts.bulkPut([contact('rama', 1), contact('rama', 2)]))
  const { notified, stop } = watched('rama')
  await vi.waitFor(() => expect(notified).toEqual([['rama']]))
  const end = await hangLong('rama', () => rename('rama', 'Ramata'))
  await withRows('rama', ({ contacts }) => contacts.delete('c1'))
  await withRows('rama', ({ contacts }) => contacts.put(contact('rama', 3)))
  await rename('rama', 'Rama Sow')
  end()
  await vi.waitFor(() => expect(storageProblemStore.get()).toBe(null))
  expect((await openUserDatabase('rama')).name).toBe('passerelle-rama')
  expect(await profiles('rama')).toMatchObject([{ name: 'Rama Sow' }])
  const ids = await withRows('rama', ({ contacts }) => contacts.toCollection().primaryKeys())
  expect(ids).toEqual(['c2', 'c3'])
  await vi.waitFor(() => expect(notified.at(-1)).toEqual(['Rama Sow']))
  await rename('rama', 'Ramata')
  await vi.waitFor(() => expect(notified.at(-1)).toEqual(['Ramata']))
  stop()
})

test('a slow device repeats no work that only reads', async () => {
  await put('ramatou')
  const end = await hangLong('ramatou', () => rename('ramatou', 'Ramatou Ba'))
  const read = vi.fn((database: UserDatabase) => database.contacts.count())
  const write = vi.fn((database: UserDatabase) => database.contacts.put(contact('ramatou', 1)))
  await withRows('ramatou', read)
  await withRows('ramatou', write)
  end()
  await vi.waitFor(() => expect(storageProblemStore.get()).toBe(null))
  expect(read).toHaveBeenCalledTimes(1)
  expect(write).toHaveBeenCalledTimes(2)
})

const contact = (uid: string, number: number): Contact => ({
  id: `c${number}`,
  userId: uid,
  name: `Contact ${number}`,
  phone: `+22462000000${number}`,
  createdAt: 0,
})

test('a device that opens late takes over again', async () => {
  const asked: (() => void)[] = []
  await put('salif')
  ;(await openUserDatabase('salif')).close()
  await profiles('another')
  openAs((...request: Parameters<IDBFactory['open']>) => {
    const late = {} as IDBOpenDBRequest
    asked.push(() => {
      const opening = indexedDB?.open(...request) as IDBOpenDBRequest
      opening.onsuccess = (event) => {
        Object.assign(late, { result: opening.result })
        late.onsuccess?.(event)
      }
    })
    return late
  })
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const written = rename('salif', 'Salifou')
  await vi.advanceTimersByTimeAsync(3000)
  await written
  expect(storageProblemStore.get()).toBe('held')
  for (const answer of asked) answer()
  await vi.waitFor(() => expect(storageProblemStore.get()).toBe(null))
  expect(await profiles('salif')).toMatchObject([{ name: 'Salifou' }])
  expect((await openUserDatabase('salif')).name).toBe('passerelle-salif')
})

test('a slow device is tried again after another tab deleted its database', async () => {
  await put('tidiane')
  const end = await hangLong('tidiane', () => rename('tidiane', 'Tidiane Ba'))
  const deleted = Dexie.delete('passerelle-tidiane')
  end()
  await deleted
  await vi.waitFor(async () => {
    await vi.advanceTimersByTimeAsync(10_000)
    expect(storageProblemStore.get()).toBe(null)
  })
  expect(await profiles('tidiane')).toMatchObject([{ name: 'Tidiane Ba' }])
})

test('a slow device stores nothing of a user who has signed out', async () => {
  await put('umu')
  const end = await hangLong('umu', () => rename('umu', 'Umu Kane'))
  const gone = forgetUser('umu')
  end()
  await gone
  await vi.advanceTimersByTimeAsync(20_000)
  expect(await names()).toEqual([])
  unmarkSignedOut('umu')
  expect(await profiles('umu')).toEqual([])
})

test('withRows rejects with an error of the work itself', async () => {
  const work = () => Promise.reject(new TypeError('a mistake'))
  await expect(withRows('nene', work)).rejects.toThrow('a mistake')
  expect(storageProblemStore.get()).toBe(null)
})

test('an open tab lets a newer version upgrade the database', async () => {
  await put('penda')
  const upgraded = new Promise<number>((resolve, reject) => {
    const opening = indexedDB.open('passerelle-penda', 100)
    opening.onblocked = () => reject(new Error('The open tab blocks the upgrade'))
    opening.onerror = () => reject(opening.error)
    opening.onsuccess = () => {
      resolve(opening.result.version)
      opening.result.close()
    }
  })
  expect(await upgraded).toBe(100)
})

test('forgetUser closes the user’s database in every tab', async () => {
  vi.resetModules()
  const other = await import('./database.ts')
  await put('oumar')
  const { notified, stop } = watched('oumar')
  await vi.waitFor(() => expect(notified).toEqual([['oumar']]))
  await other.openUserDatabase('oumar')
  deviceStore.set('clearing', 'oumar')
  await other.forgetUser('oumar')
  await vi.waitFor(() => expect(openUserDatabase('oumar')).rejects.toThrow('signed out of this device'))
  await expect(put('oumar')).rejects.toThrow('signed out of this device')
  expect(await names()).toEqual([])
  stop()
})

test('a tab that learns late of a sign-out keeps the user’s next session', async () => {
  await put('yaya')
  const [channel, read] = [1, 2].map(() => new BroadcastChannel('passerelle.presence')) as [
    BroadcastChannel,
    BroadcastChannel,
  ]
  const received = new Promise((resolve) => read.addEventListener('message', resolve))
  channel.postMessage({ left: 'yaya' })
  await received
  channel.close()
  read.close()
  await put('yaya')
  expect(await names()).toEqual(['passerelle-yaya'])
})
