import { expect, type Page } from '@playwright/test'

export const offerInstall = (page: Page) =>
  page.evaluate(() => {
    const offered = new Event('beforeinstallprompt', { cancelable: true })
    Object.assign(offered, { prompt: async () => ({ outcome: 'accepted' }) })
    dispatchEvent(offered)
  })

export const leave = (page: Page) =>
  page.evaluate(() => {
    Object.defineProperty(document, 'visibilityState', { value: 'hidden', configurable: true })
    document.dispatchEvent(new Event('visibilitychange'))
  })

export const comeBack = (page: Page) =>
  page.evaluate(() => {
    Reflect.deleteProperty(document, 'visibilityState')
    document.dispatchEvent(new Event('visibilitychange'))
  })

export async function leaveAndReturn(page: Page) {
  await leave(page)
  await comeBack(page)
}

export function emulateSafariOnIos() {
  Object.defineProperty(navigator, 'standalone', { value: false })
  Object.defineProperty(navigator, 'userAgent', {
    value:
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1',
  })
}

/** `of`: user ID; all users by default. */
export const listDatabases = (page: Page, of = 'passerelle') =>
  page.evaluate(
    async (part) => (await indexedDB.databases()).flatMap(({ name }) => (name?.includes(part) ? name : [])),
    of,
  )

/** On a slow device, the databases may be deleted after the sign-in screen appears. */
export const expectNoDatabase = (page: Page, of?: string) =>
  expect.poll(() => listDatabases(page, of)).toEqual([])

/** Another tab keeps a transaction on all tables open. Returns a function that ends it. */
export async function hangDatabases(page: Page): Promise<() => Promise<void>> {
  const holder = await page.context().newPage()
  await holder.goto('/robots.txt')
  await holder.evaluate(async () => {
    const names = (await indexedDB.databases()).flatMap(({ name }) =>
      name?.startsWith('passerelle-') ? [name] : [],
    )
    await Promise.all(
      names.map(
        (name) =>
          new Promise<void>((resolve) => {
            const opening = indexedDB.open(name)
            opening.onsuccess = () => {
              const database = opening.result
              const tables = [...database.objectStoreNames]
              const held = database.transaction(tables, 'readwrite').objectStore(tables[0] ?? '')
              // Each request keeps the transaction open until the next one.
              const hold = () => {
                resolve()
                held.count().onsuccess = hold
              }
              hold()
            }
          }),
      ),
    )
  })
  return () => holder.close()
}

export function readStoredData(page: Page): Promise<string> {
  return page.evaluate(async () => {
    const done = <T>(request: IDBRequest<T>) =>
      new Promise<T>((resolve, reject) => {
        request.onsuccess = () => resolve(request.result)
        request.onerror = () => reject(request.error)
      })
    const kept: unknown[] = [{ ...localStorage }, { ...sessionStorage }]
    for (const { name = '' } of await indexedDB.databases()) {
      const database = await done(indexedDB.open(name))
      for (const store of database.objectStoreNames)
        kept.push(name, store, await done(database.transaction(store).objectStore(store).getAll()))
      database.close()
    }
    for (const name of await caches.keys()) {
      const cache = await caches.open(name)
      for (const request of await cache.keys())
        kept.push(request.url, await (await cache.match(request))?.text())
    }
    return JSON.stringify(kept)
  })
}
