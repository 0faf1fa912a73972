import { mkdtemp, readdir, readFile, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type BrowserContext, chromium, type Page } from '@playwright/test'
import { ACCOUNT_KEY } from '../src/browser/storedAccount.ts'
import { BROKEN_CALLS, test as base, expect } from './fixtures.ts'
import { startServer } from './server.ts'
import { contactWords } from './steps/contacts.ts'
import { appCopy, deploy, versions } from './steps/deployment.ts'
import { beSafariOnIos, leaveAndReturn, offerInstall } from './steps/device.ts'
import { untilDrawn } from './steps/drawn.ts'
import { expectHome, openFromMenu, pressKey } from './steps/pages.ts'
import {
  CARDS,
  closeReceipt,
  confirmForm,
  fillTransfer,
  payButton,
  payWithCard,
  receiptSheet,
  sendMoney,
} from './steps/transfer.ts'
import { arriveHome, speak, standAlone } from './steps/waysIn.ts'
import { speakIn } from './texts.ts'
import { words } from './words.ts'

const CONTACT = 'Mariama Bah'

/** The product with its service worker, from a folder in which a test can put another version. */
const test = base.extend<object, { folder: string }>({
  folder: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the fixtures from the pattern.
    async ({}, use) => {
      const folder = await appCopy()
      await use(folder)
      await rm(folder, { recursive: true })
    },
    { scope: 'worker' },
  ],
  server: [
    async ({ folder }, use) => {
      const { server, stop } = await startServer({ SANDBOX_APP: folder })
      await use(server)
      const unknown = await server.unknownCalls()
      stop()
      expect(unknown, 'calls that no emulator understood').toEqual([])
    },
    { scope: 'worker' },
  ],
})
test.use({
  serviceWorkers: 'allow',
  // Chromium itself and the database's SDK write a line for each call that finds no network.
  expectedErrors: [BROKEN_CALLS],
})

/** The whole app is on the device, and serves this page. */
const installed = (page: Page) =>
  page.evaluate(async () => {
    await navigator.serviceWorker.ready
    if (!navigator.serviceWorker.controller)
      await new Promise((resolve) =>
        navigator.serviceWorker.addEventListener('controllerchange', resolve, { once: true }),
      )
  })

/** The network goes, the app is closed and opened again. */
async function openOffline(context: BrowserContext, page: Page, path = '/'): Promise<Page> {
  await context.setOffline(true)
  await page.close()
  const opened = await context.newPage()
  await opened.goto(path)
  return opened
}

async function toPaymentForm(page: Page, card: string) {
  await fillTransfer(page, { amount: '100' })
  await confirmForm(page)
  await payWithCard(page, card)
}

/** Gives the number of the receipt a name. */
async function addToContacts(page: Page, name: string) {
  await page.getByRole('button', { name: contactWords.addToContacts }).click()
  await page.getByLabel(contactWords.name).fill(name)
  await page.getByRole('button', { name: contactWords.save }).click()
  await expect(page.getByRole('dialog').locator('dd', { hasText: name })).toBeVisible()
}

test('visited once, the home screen, the profile, contacts and receipts open without a network, in both languages', async ({
  context,
  page,
  server,
}) => {
  const person = await arriveHome(page, server)
  await sendMoney(page, { amount: '100' })
  await addToContacts(page, CONTACT)
  await closeReceipt(page)
  await installed(page)

  const opened = await openOffline(context, page)
  await expect(opened.getByText(person.name.toLocaleUpperCase())).toBeVisible()
  for (const spoken of ['fr', 'en'] as const) {
    if (spoken === 'en') await readEnglish(opened)
    speakIn(spoken)
    await expectHome(opened)
    await opened.getByRole('region', { name: words.activity }).getByRole('button', { name: '+224' }).click()
    const receipt = receiptSheet(opened)
    const download = opened.waitForEvent('download')
    await receipt.getByRole('button', { name: words.download }).click()
    const pdf = await readFile(await (await download).path())
    expect(pdf.subarray(0, 5).toString()).toBe('%PDF-')
    await expect(receipt.locator('dd', { hasText: CONTACT })).toBeVisible()
    await opened.keyboard.press('Escape')
    await expect(receipt).toBeHidden()

    await openFromMenu(opened, words.contacts)
    await expect(opened.getByRole('listitem').filter({ hasText: CONTACT })).toContainText('+224 620 00 00 00')
    await opened.goBack()

    await opened.getByRole('button', { name: words.menu }).click()
    await opened.getByRole('menuitem', { name: words.profile, exact: true }).click()
    await expect(opened.getByRole('heading', { level: 1, name: words.profile })).toBeVisible()
    await expect(opened.getByLabel(words.name)).toHaveValue(person.name)
    await opened.goBack()
  }
})

/** On a phone the languages are in the person's menu. */
async function readEnglish(page: Page) {
  const english = page.getByRole('button', { name: 'English' })
  if (await english.isVisible()) await english.click()
  else {
    await page.getByRole('button', { name: words.menu }).click()
    await page.getByRole('menuitem', { name: 'English' }).click()
  }
}

test('the signed-out page opens without a network, at each address of the app and in both languages @spec-signed-out-offline', async ({
  context,
  page,
}) => {
  await speak(page)
  await installed(page)
  const opened = await openOffline(context, page)
  for (const path of ['/', '/?signup', '/?view=send', '/payment-complete', '/settings?session_id=1']) {
    await opened.goto(path)
    await expect(opened.getByLabel(words.email)).toBeVisible()
  }
  await opened.getByRole('button', { name: 'English' }).click()
  speakIn('en')
  await expect(opened.getByLabel(words.email)).toBeVisible()
  // What is the server's stays with the server.
  await expect(opened.goto('/sandbox')).rejects.toThrow('ERR_INTERNET_DISCONNECTED')
})

test('an app that stands alone does not leave for Google without a network', async ({ context, page }) => {
  await speak(page)
  await installed(page)
  await context.setOffline(true)
  const opened = await context.newPage()
  await standAlone(opened)
  await opened.goto('/')
  await opened.getByRole('button', { name: words.google }).click()
  await expect(opened.getByRole('main').getByRole('alert')).toHaveText(words.noAnswer)
  await expect(opened).toHaveURL('/')
})

test('who signs out without a network leaves nothing on the device @spec-sign-out-offline @spec-sign-out', async ({
  context,
  page,
  server,
}) => {
  const person = await arriveHome(page, server)
  const uid = await page.evaluate((begin) => {
    const key = Object.keys(localStorage).find((name) => name.startsWith(begin)) ?? ''
    return (JSON.parse(localStorage.getItem(key) ?? '{}') as { uid: string }).uid
  }, ACCOUNT_KEY)
  await sendMoney(page, { amount: '100' })
  await addToContacts(page, CONTACT)
  await closeReceipt(page)
  await installed(page)
  const opened = await openOffline(context, page)
  await expect(opened.getByText(person.name.toLocaleUpperCase())).toBeVisible()
  const before = await everythingKept(opened)
  for (const trace of [uid, CONTACT]) expect(before).toContain(trace)

  await opened.getByRole('button', { name: words.menu }).click()
  await opened.getByRole('menuitem', { name: words.signOut }).click()
  await expect(opened.getByLabel(words.email)).toBeVisible()
  await expect
    .poll(() => opened.evaluate(() => indexedDB.databases()))
    .not.toContainEqual(expect.objectContaining({ name: expect.stringContaining(uid) }))
  const kept = await everythingKept(opened)
  for (const trace of [uid, person.email, person.name, CONTACT, '+224620000000'])
    expect(kept).not.toContain(trace)
})

test('caches hold the files of the build, and no answer of a service', async ({ folder, page, server }) => {
  await arriveHome(page, server)
  await sendMoney(page, { amount: '100' })
  await installed(page)
  const cached = await page.evaluate(async () => {
    const urls = await Promise.all(
      (await caches.keys()).map(async (name) =>
        (await (await caches.open(name)).keys()).map(({ url }) => url),
      ),
    )
    return urls.flat()
  })
  const built = await readdir(folder, { recursive: true })
  const wanted = built.filter((file) =>
    /^(index|google-sign-in)\.html$|^legal\/.*\.(html|css)$|^(assets|icons)\/[^/]*\.(js|css|woff2|png)$|\.(svg|webmanifest)$/.test(
      file,
    ),
  )
  // The PDF library's parts for drawings and pages of HTML, which no receipt has.
  const unused = /^assets\/(index|purify)\.es-/
  const expected = wanted.filter((file) => !unused.test(file))
  expect(wanted.length - expected.length, 'parts that are left out').toBe(2)
  expect(cached.map((url) => new URL(url).pathname.slice(1)).sort()).toEqual(expected.sort())
})

test('the browser finds nothing that stands against installing the app', async ({ server }) => {
  const profile = await mkdtemp(join(tmpdir(), 'passerelle-profile-'))
  const { executablePath, args } = test.info().project.use.launchOptions ?? {}
  // In an ordinary window: in a private one the browser installs nothing.
  const context = await chromium.launchPersistentContext(profile, {
    executablePath: executablePath ?? '',
    args: args ?? [],
  })
  try {
    const [page = await context.newPage()] = context.pages()
    await page.goto(server.origin)
    await installed(page)
    const session = await context.newCDPSession(page)
    expect((await session.send('Page.getAppManifest')).errors).toEqual([])
    const { installabilityErrors } = await session.send('Page.getInstallabilityErrors')
    expect(installabilityErrors).toEqual([])
  } finally {
    await context.close()
    await rm(profile, { recursive: true })
  }
})

test.describe('a new version', () => {
  test('is offered, and changes nothing before it is asked to', async ({ context, folder, page }) => {
    await speak(page)
    await installed(page)
    const other = await context.newPage()
    await other.goto('/')
    await deploy(folder)
    await askForVersion(page)
    await expect(page.getByText(words.updateReady)).toBeVisible()
    await expect(other.getByText(words.updateReady)).toBeVisible()
    const before = await versionOf(page)
    await page.bringToFront()
    await page.reload()
    expect(await versionOf(page)).toBe(before)
    await expect(page.getByText(words.updateReady)).toBeVisible()

    await page.getByRole('button', { name: words.updateLater }).click()
    await expect(page.getByText(words.updateReady)).toBeHidden()
    const reloaded = Promise.all([page.waitForEvent('load'), other.waitForEvent('load')])
    await other.bringToFront()
    await other.getByRole('button', { name: words.update }).click()
    await reloaded
    for (const tab of [page, other]) {
      expect(await versionOf(tab)).toBe(versions.get(folder))
      await expect(tab.getByText(words.updateReady)).toBeHidden()
    }
  })

  test('waits for a payment in any tab, which goes on with the files of the old one', async ({
    context,
    folder,
    page,
    server,
  }) => {
    await arriveHome(page, server)
    await installed(page)
    const other = await context.newPage()
    await other.goto('/')
    await expectHome(other)
    const before = await versionOf(page)
    await page.bringToFront()
    await toPaymentForm(page, CARDS.threeDSecure)
    const bank = page.frameLocator('iframe[src*="3ds"]')
    const authenticate = bank.getByRole('button', { name: words.authenticate })
    await expect(authenticate).toBeVisible()

    await deploy(folder)
    await askForVersion(other)
    await expect.poll(() => isWaiting(other)).toBe(true)

    await authenticate.click()
    const receipt = receiptSheet(page)
    await expect(receipt.getByText(words.paid)).toBeVisible()
    // The news of it has long come by now.
    await expect(other.getByText(words.updateReady)).toBeHidden()
    await expect(page.getByText(words.updateReady)).toBeHidden()
    // What writes the receipt was not needed before, and the server has it no more.
    const files = (await readdir(join(folder, 'assets'))).filter((name) => name.startsWith('jspdf'))
    const move = (from: string, to: string) =>
      Promise.all(files.map((name) => rename(join(folder, from, name), join(folder, to, name))))
    await move('assets', '.')
    const download = page.waitForEvent('download')
    await receipt.getByRole('button', { name: words.download }).click()
    await download
    await move('.', 'assets')
    expect(await versionOf(page)).toBe(before)
    await closeReceipt(page)
    await expect(other.getByText(words.updateReady)).toBeVisible()
    await expect(page.getByText(words.updateReady)).toBeVisible()

    // An offer in sight leaves when a payment begins elsewhere.
    await fillTransfer(page, { amount: '50' })
    await confirmForm(page)
    await expect(other.getByText(words.updateReady)).toBeHidden()
    await expect(payButton(page)).toBeVisible()
    await page.getByRole('dialog').getByRole('button', { name: words.close }).click()
    await expect(other.getByText(words.updateReady)).toBeVisible()
    const reloaded = Promise.all([page.waitForEvent('load'), other.waitForEvent('load')])
    await other.bringToFront()
    await other.getByRole('button', { name: words.update }).click()
    await reloaded
    expect(await versionOf(page)).toBe(versions.get(folder))
    await expectHome(page)
  })
})

test.describe('the invitation to install', () => {
  test('comes after the first success, and not again after a refusal', async ({ page, server }) => {
    await arriveHome(page, server)
    await offerInstall(page)
    const invitation = page.getByRole('region', { name: words.installInvitation })
    await expect(invitation).toBeHidden()
    await sendMoney(page, { amount: '100' })
    await expect(invitation).toBeHidden()
    await closeReceipt(page)
    await expect(invitation.getByRole('button', { name: words.install })).toBeVisible()
    await pressKey(invitation.getByRole('button', { name: words.installNot }))
    await expect(invitation).toBeHidden()
    await expect(page.getByRole('heading', { name: words.send })).toBeFocused()
    await page.reload()
    await expectHome(page)
    await offerInstall(page)
    await expect(invitation).toBeHidden()
  })

  test('moves nothing under the eyes of somebody, waits for the next home screen, and is gone once the app is installed', async ({
    page,
    server,
  }) => {
    await arriveHome(page, server)
    await sendMoney(page, { amount: '100' })
    await closeReceipt(page)
    const invitation = page.getByRole('region', { name: words.installInvitation })
    const amount = page.getByLabel(words.amount)
    const top = async () => (await amount.boundingBox())?.y
    // Its code is here.
    await installed(page)
    await page.evaluate(() => scrollTo(0, 0))
    const first = await top()
    await offerInstall(page)
    await untilDrawn(page)
    expect(await top()).toBe(first)
    await expect(invitation).toBeHidden()
    await openFromMenu(page, words.contacts)
    await page.goBack()
    await expect(invitation).toBeVisible()
    await page.reload()
    await expectHome(page)
    await offerInstall(page)
    await leaveAndReturn(page)
    await pressKey(invitation.getByRole('button', { name: words.install }))
    await expect(invitation).toBeHidden()
    await expect(page.getByRole('heading', { name: words.send })).toBeFocused()
  })

  test('tells the way in words in Safari on iOS', async ({ page, server }) => {
    await page.addInitScript(beSafariOnIos)
    await arriveHome(page, server)
    await sendMoney(page, { amount: '100' })
    await closeReceipt(page)
    const invitation = page.getByRole('region', { name: words.installInvitation })
    await expect(invitation.getByText(words.installInSafari)).toBeVisible()
    await expect(page.locator('link[rel=apple-touch-startup-image]')).not.toHaveCount(0)
  })
})

/** Everything that the app has written down on this device, as one text. */
function everythingKept(page: Page): Promise<string> {
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

const versionOf = async (page: Page) => Number(await page.locator('html').getAttribute('data-version'))

/** As the app does each hour. */
const askForVersion = (page: Page) =>
  page.evaluate(async () => {
    await (await navigator.serviceWorker.ready).update()
  })

const isWaiting = (page: Page) =>
  page.evaluate(async () => (await navigator.serviceWorker.ready).waiting !== null)
