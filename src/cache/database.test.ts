import { MINUTE } from '../../domain/duration.ts'
import 'fake-indexeddb/auto'
import { Dexie } from 'dexie'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { EMPTY_SUBSCRIPTION } from '../../domain/plans.ts'
import { databaseOf, forgetUser, type UserDatabase, watchRows, withRows } from './database.ts'
import { storageProblem } from './deviceStorage.ts'
import { welcomeUser } from './signedOutUsers.ts'

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

test('each person has a database of their own', async () => {
  welcomeUser('ada')
  await put('ada')
  expect(await profiles('bea')).toEqual([])
  expect(await profiles('ada')).toEqual([profile('ada')])
})

test('forgetting a person leaves no database of theirs and keeps the others', async () => {
  welcomeUser('ada')
  welcomeUser('bea')
  await put('ada')
  await put('bea')
  await forgetUser('bea')
  expect(await names()).toEqual(['passerelle-ada'])
})

test('a late answer for somebody who left is dropped, and they can come back', async () => {
  await put('cleo')
  const late = withRows('cleo', async (database) => {
    await forgetUser('cleo')
    return database.profiles.put(profile('cleo'))
  })
  await expect(late).rejects.toThrow('left the device')
  await expect(databaseOf('cleo')).rejects.toThrow('left the device')
  expect(await names()).not.toContain('passerelle-cleo')
  welcomeUser('cleo')
  expect(await profiles('cleo')).toEqual([])
})

/** A device whose own storage opens in another way; the rows in memory are not touched by it. */
function openAs(open: () => unknown) {
  Dexie.dependencies.indexedDB = Object.create(indexedDB, { open: { value: open } })
}

/** What is told by a watch, each time that it is told. */
function watched(uid: string) {
  const told: string[][] = []
  const stop = watchRows(
    uid,
    async (database: UserDatabase) => (await database.profiles.toArray()).map(({ name }) => name),
    (found) => told.push(found),
  )
  return { told, stop }
}

test('a database that somebody deletes while it is open is begun anew', async () => {
  await put('fanta')
  const { told, stop } = watched('fanta')
  await vi.waitFor(() => expect(told).toEqual([['fanta']]))
  await Dexie.delete('passerelle-fanta')
  await withRows('fanta', ({ profiles: rows }) => rows.put({ ...profile('fanta'), name: 'Fantoumata' }))
  await vi.waitFor(() => expect(told.at(-1)).toEqual(['Fantoumata']))
  expect(storageProblem.get()).toBe(null)
  expect(await names()).toEqual(['passerelle-fanta'])
  stop()
})

test('a connection that the system took away is opened anew', async () => {
  await put('gani')
  const broken = vi.spyOn(IDBDatabase.prototype, 'transaction')
  for (let times = 0; times < 5; times += 1)
    broken.mockImplementationOnce(() => {
      throw new DOMException('The connection is closing.', 'InvalidStateError')
    })
  vi.spyOn(console, 'warn').mockReturnValue()
  expect(await profiles('gani')).toEqual([profile('gani')])
  expect(storageProblem.get()).toBe(null)
})

test('a device that refuses to open holds the rows for this page alone, and says so', async () => {
  openAs(() => {
    throw new DOMException('The user denied permission to access the database.', 'UnknownError')
  })
  vi.spyOn(console, 'warn').mockReturnValue()
  const { told, stop } = watched('hawa')
  await put('hawa')
  expect(storageProblem.get()).toBe('broken')
  await vi.waitFor(() => expect(told.at(-1)).toEqual(['hawa']))
  expect(await profiles('hawa')).toEqual([profile('hawa')])
  stop()
  await forgetUser('hawa')
  welcomeUser('hawa')
  Dexie.dependencies.indexedDB = indexedDB
  expect(await profiles('hawa')).toEqual([])
  expect(storageProblem.get()).toBe(null)
})

test('a device without any storage holds the rows for this page alone', async () => {
  Dexie.dependencies.indexedDB = undefined as unknown as IDBFactory
  await put('ilias')
  expect(await profiles('ilias')).toEqual([profile('ilias')])
  expect(storageProblem.get()).toBe('broken')
})

test('nobody waits for a device that does not answer', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  openAs(() => ({}))
  const waiting = profiles('jaba')
  await vi.advanceTimersByTimeAsync(3000)
  vi.useRealTimers()
  expect(await waiting).toEqual([])
  expect(storageProblem.get()).toBe('held')
})

test('a disk that is full keeps nobody from going on', async () => {
  await put('kadi')
  vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementationOnce(() => {
    throw full()
  })
  const { told, stop } = watched('kadi')
  await vi.waitFor(() => expect(told).toEqual([['kadi']]))
  await withRows('kadi', ({ profiles: rows }) => rows.put({ ...profile('kadi'), name: 'Kadiatou' }))
  expect(storageProblem.get()).toBe('full')
  await vi.waitFor(() => expect(told.at(-1)).toEqual(['Kadiatou']))
  stop()
})

// The library's own types lack what it hands over.
const BulkError = Dexie.BulkError as new (message: string, failures: Error[]) => Error

test.each([
  ['the end', Object.assign(new Dexie.AbortError('Transaction aborted'), { inner: full() })],
  ['one of many rows', new BulkError('1 of 2 operations failed', [full()])],
])('a disk that is full at %s is told apart from a broken one', async (_, error) => {
  welcomeUser('lala')
  await put('lala')
  let tries = 0
  const done = await withRows('lala', async () => {
    tries += 1
    if (tries === 1) throw error
    return 'done'
  })
  expect([done, tries, storageProblem.get()]).toEqual(['done', 2, 'full'])
})

function full() {
  return new DOMException('The disk is full.', 'QuotaExceededError')
}

test('a device that fails again and again is done without', async () => {
  await put('moussa')
  const seen: string[] = []
  const done = await withRows('moussa', async (database) => {
    seen.push(database.name)
    if (!database.name.includes('memory')) throw new Dexie.UnknownError('Internal error')
    return 'done'
  })
  expect(done).toBe('done')
  expect(storageProblem.get()).toBe('broken')
  expect(seen).toEqual([...Array(4).fill('passerelle-moussa'), 'passerelle-memory-moussa'])
})

test('a connection that is taken now and then is opened anew each time, however often', async () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  const taken = vi.spyOn(IDBDatabase.prototype, 'transaction')
  await put('maimouna')
  const { told, stop } = watched('maimouna')
  await vi.waitFor(() => expect(told).toEqual([['maimouna']]))
  for (const name of ['Une', 'Deux', 'Trois', 'Quatre', 'Cinq', 'Six', 'Sept']) {
    vi.setSystemTime(Date.now() + MINUTE)
    // Safari's words after the app was in the background.
    taken.mockImplementationOnce(() => {
      throw new DOMException('Connection to Indexed Database server lost.', 'UnknownError')
    })
    await withRows('maimouna', ({ profiles: rows }) => rows.put({ ...profile('maimouna'), name }))
    await vi.waitFor(() => expect(told.at(-1)).toEqual([name]))
    expect(storageProblem.get()).toBe(null)
  }
  expect((await databaseOf('maimouna')).name).toBe('passerelle-maimouna')
  stop()
})

test('a device on which one question fails each time is done without, however slowly it fails', async () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  const seen: string[] = []
  const done = await withRows('nabou', async (database) => {
    seen.push(database.name)
    vi.setSystemTime(Date.now() + 10 * MINUTE)
    if (!database.name.includes('memory')) throw new Dexie.UnknownError('Internal error')
    return 'done'
  })
  expect(done).toBe('done')
  expect(storageProblem.get()).toBe('broken')
  expect(seen).toEqual([...Array(4).fill('passerelle-nabou'), 'passerelle-memory-nabou'])
})

test('a live question that fails each time is asked in memory, while others are answered', async () => {
  await put('oulimata')
  const stop = watchRows(
    'oulimata',
    (database) => {
      if (database.name.includes('memory')) return database.profiles.count()
      return Promise.reject(new Dexie.UnknownError('Internal error'))
    },
    () => {},
  )
  await vi.waitFor(() => expect(storageProblem.get()).toBe('broken'))
  stop()
})

test('a mistake in the work is no fault of the device', async () => {
  const work = () => Promise.reject(new TypeError('a mistake'))
  await expect(withRows('nene', work)).rejects.toThrow('a mistake')
  expect(storageProblem.get()).toBe(null)
})

test('who leaves in one tab has left in all', async () => {
  vi.resetModules()
  const other = await import('./database.ts')
  await put('oumar')
  const { told, stop } = watched('oumar')
  await vi.waitFor(() => expect(told).toEqual([['oumar']]))
  await other.databaseOf('oumar')
  await other.forgetUser('oumar')
  await vi.waitFor(() => expect(databaseOf('oumar')).rejects.toThrow('left the device'))
  await expect(put('oumar')).rejects.toThrow('left the device')
  expect(await names()).toEqual([])
  stop()
})
