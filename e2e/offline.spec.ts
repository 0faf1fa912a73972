import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type BrowserContext, chromium, type Page } from '@playwright/test'
import { getAppFolder } from '../build/build.ts'
import { BROKEN_CALL_ERRORS, expect, sceneTest, test } from './fixtures.ts'
import { contactWords } from './steps/contacts.ts'
import { waitUntilInstalled } from './steps/deployment.ts'
import { emulateSafariOnIos, leaveAndReturn, offerInstall, readStoredData } from './steps/device.ts'
import { expectHome, openFromMenu, pressKey } from './steps/pages.ts'
import { waitUntilDrawn } from './steps/rendering.ts'
import { openScene } from './steps/scenes.ts'
import { openInTestLanguage, registerAndOpenHome } from './steps/signIn.ts'
import { closeReceipt, receiptSheet, sendMoney } from './steps/transfer.ts'
import { setTestLanguage } from './texts.ts'
import { words } from './words.ts'

const CONTACT = 'Mariama Bah'

test.use({
  serviceWorkers: 'allow',
  expectedErrors: [BROKEN_CALL_ERRORS],
})

async function openOffline(context: BrowserContext, page: Page, path = '/'): Promise<Page> {
  await context.setOffline(true)
  await page.close()
  const opened = await context.newPage()
  await opened.goto(path)
  return opened
}

async function addToContacts(page: Page, name: string) {
  await page.getByRole('button', { name: contactWords.addToContacts }).click()
  await page.getByLabel(contactWords.name).fill(name)
  await page.getByRole('button', { name: contactWords.save }).click()
  await expect(page.getByText(contactWords.added)).toBeVisible()
}

test('home, pages and receipts open offline in both languages', async ({ context, page, server }) => {
  const person = await registerAndOpenHome(page, server)
  await sendMoney(page, { amount: '100' })
  await addToContacts(page, CONTACT)
  await closeReceipt(page)
  await waitUntilInstalled(page)

  const opened = await openOffline(context, page)
  await expect(opened.getByText(person.name.toLocaleUpperCase())).toBeVisible()
  for (const spoken of ['fr', 'en'] as const) {
    if (spoken === 'en') await switchToEnglish(opened)
    setTestLanguage(spoken)
    await expectHome(opened)
    await opened.getByRole('region', { name: words.activity }).getByRole('button', { name: CONTACT }).click()
    const receipt = receiptSheet(opened)
    const download = opened.waitForEvent('download')
    await receipt.getByRole('button', { name: words.download }).click()
    const pdf = await readFile(await (await download).path())
    expect(pdf.subarray(0, 5).toString()).toBe('%PDF-')
    await expect(receipt.getByText('+224 620 00 00 00').first()).toBeVisible()
    await opened.keyboard.press('Escape')
    await expect(receipt).toBeHidden()

    await openFromMenu(opened, words.contacts)
    await expect(opened.getByRole('listitem').filter({ hasText: CONTACT })).toContainText('+224 620 00 00 00')
    await opened.goBack()

    await opened.getByRole('button', { name: words.menu }).click()
    await opened.getByRole('menuitem', { name: words.profile, exact: true }).click()
    await expect(opened.getByRole('heading', { level: 1, name: words.profile })).toBeVisible()
    await expect(opened.getByRole('main').getByRole('button', { name: person.name })).toBeVisible()
    await opened.goBack()
  }
})

/** On a phone, the language is in the user's menu. */
async function switchToEnglish(page: Page) {
  const english = page.getByRole('button', { name: 'English' })
  if (await english.isVisible()) await english.click()
  else {
    await page.getByRole('button', { name: words.menu }).click()
    await page.getByRole('menuitem', { name: 'English' }).click()
  }
}

test('an installed app loads menu and clients after home responds', async ({ context, page, server }) => {
  await registerAndOpenHome(page, server)
  await sendMoney(page, { amount: '100' })
  await closeReceipt(page)
  await waitUntilInstalled(page)
  await context.addInitScript(() =>
    new MutationObserver((_, watching) => {
      if (!document.querySelector('#root:not([inert]) [aria-labelledby=activity] li')) return
      watching.disconnect()
      performance.mark('responds')
    }).observe(document, { subtree: true, childList: true, attributes: true }),
  )

  const opened = await openOffline(context, page)
  await openFromMenu(opened, words.contacts)
  const files = await opened.evaluate(() => {
    const [{ startTime: end } = { startTime: 0 }] = performance.getEntriesByName('responds')
    const isEarly = ({ startTime }: PerformanceEntry) => startTime < end
    const path = ({ name }: PerformanceEntry) => new URL(name).pathname
    return performance.getEntriesByType('resource').filter(isEarly).map(path)
  })
  expect(files.some((file) => file.includes('/Home-'))).toBe(true)
  expect(files.filter((file) => /auth|firestore|homeParts|ProfileMenu|Pages|Sheet/i.test(file))).toEqual([])
})

test('the sign-in screen opens offline at each path and language @spec-signed-out-offline', async ({
  context,
  page,
}) => {
  await openInTestLanguage(page)
  await waitUntilInstalled(page)
  const opened = await openOffline(context, page)
  for (const path of ['/', '/?signup', '/?view=send', '/payment-complete', '/settings?session_id=1']) {
    await opened.goto(path)
    await expect(opened.getByLabel(words.email)).toBeVisible()
  }
  await opened.getByRole('button', { name: 'English' }).click()
  setTestLanguage('en')
  await expect(opened.getByLabel(words.email)).toBeVisible()
  // The service worker does not respond at paths that are the server's own.
  await expect(opened.goto('/sandbox')).rejects.toThrow('ERR_INTERNET_DISCONNECTED')
})

test('signing out offline deletes the user’s data from the device @spec-sign-out-offline @spec-sign-out', async ({
  context,
  page,
  server,
}) => {
  const person = await registerAndOpenHome(page, server)
  const { uid } = person
  await sendMoney(page, { amount: '100' })
  await addToContacts(page, CONTACT)
  await closeReceipt(page)
  await waitUntilInstalled(page)
  const opened = await openOffline(context, page)
  await expect(opened.getByText(person.name.toLocaleUpperCase())).toBeVisible()
  const before = await readStoredData(opened)
  for (const trace of [uid, CONTACT]) expect(before).toContain(trace)

  await opened.getByRole('button', { name: words.menu }).click()
  await opened.getByRole('menuitem', { name: words.signOut }).click()
  await expect(opened.getByLabel(words.email)).toBeVisible()
  await expect
    .poll(() => opened.evaluate(() => indexedDB.databases()))
    .not.toContainEqual(expect.objectContaining({ name: expect.stringContaining(uid) }))
  const kept = await readStoredData(opened)
  for (const trace of [uid, person.email, person.name, CONTACT, '+224620000000'])
    expect(kept).not.toContain(trace)
})

test('the caches contain exactly the build’s files', async ({ page }) => {
  await openInTestLanguage(page)
  await waitUntilInstalled(page)
  const cached = await page.evaluate(async () => {
    const urls = await Promise.all(
      (await caches.keys()).map(async (name) =>
        (await (await caches.open(name)).keys()).map(({ url }) => url),
      ),
    )
    return urls.flat()
  })
  const built = await readdir(getAppFolder('sandbox'), { recursive: true })
  const wanted = built.filter((file) =>
    /^(index|google-sign-in|check-receipt)\.html$|^legal\/.*\.(html|css)$|^(assets|icons)\/[^/]*\.(js|css|woff2|png)$|\.(svg|webmanifest)$/.test(
      file,
    ),
  )
  // Browsers load these icons from the network during the installation.
  const unused = /^icons\/(icon|maskable)-512/
  const expected = wanted.filter((file) => !unused.test(file))
  expect(wanted.length - expected.length, 'parts that are left out').toBe(2)
  expect(cached.map((url) => new URL(url).pathname.slice(1)).sort()).toEqual(expected.sort())
})

test('the app meets the browser’s criteria for installation in both languages', async ({ server }) => {
  const profile = await mkdtemp(join(tmpdir(), 'passerelle-profile-'))
  const { executablePath, args } = test.info().project.use.launchOptions ?? {}
  // In an ordinary window, because a private one installs nothing.
  const context = await chromium.launchPersistentContext(profile, {
    executablePath: executablePath ?? '',
    args: args ?? [],
  })
  try {
    const [page = await context.newPage()] = context.pages()
    await page.goto(server.origin)
    await waitUntilInstalled(page)
    const session = await context.newCDPSession(page)
    for (const language of ['fr', 'en']) {
      if (language === 'en') await page.getByRole('button', { name: 'English' }).click()
      await expect(page.locator('html')).toHaveAttribute('lang', language)
      const { url, errors } = await session.send('Page.getAppManifest')
      expect([url, errors]).toEqual([`${server.origin}/manifest.${language}.webmanifest`, []])
      const { installabilityErrors } = await session.send('Page.getInstallabilityErrors')
      expect(installabilityErrors).toEqual([])
    }
    // The next start has the manifest of the chosen language at once.
    await page.reload()
    await expect(page.locator('link[rel=manifest]')).toHaveAttribute('href', '/manifest.en.webmanifest')
  } finally {
    await context.close()
    await rm(profile, { recursive: true })
  }
})

test('the invitation to install appears once, after the first receipt', async ({ page, server }) => {
  await registerAndOpenHome(page, server)
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

sceneTest('the invitation shifts nothing, and disappears once accepted @all', async ({ page }) => {
  const invitation = page.getByRole('region', { name: words.installInvitation })
  const top = async () => (await page.getByLabel(words.amount).boundingBox())?.y
  const openAndLeavePage = async () => {
    await openFromMenu(page, words.contacts)
    await page.goBack()
  }
  for (const comeBack of [openAndLeavePage, () => leaveAndReturn(page)]) {
    await openScene(page, 'home-empty', { device: { install: 'earned' } })
    const first = await top()
    await page.evaluate(() => {
      Object.assign(window, { opening: { installPrompt: { prompt: async () => {} }, reportError() {} } })
    })
    await waitUntilDrawn(page)
    expect(await top()).toBe(first)
    await expect(invitation).toBeHidden()
    await comeBack()
    await pressKey(invitation.getByRole('button', { name: words.install }))
    await expect(invitation).toBeHidden()
    await expect(page.getByRole('heading', { name: words.send })).toBeFocused()
  }
})

test('the app has start images in Safari on iOS @all', async ({ page }) => {
  await page.addInitScript(emulateSafariOnIos)
  await openInTestLanguage(page)
  await expect(page.locator('link[rel=apple-touch-startup-image]')).not.toHaveCount(0)
})
