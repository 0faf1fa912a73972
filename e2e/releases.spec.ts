import type { BrowserContext, Page } from '@playwright/test'
import { BROKEN_CALL_ERRORS, test as base, expect } from './fixtures.ts'
import { checkForNewVersion, waitUntilInstalled } from './steps/deployment.ts'
import { delayRequests } from './steps/faults.ts'
import { expectHome, openOtherTab, openProfile } from './steps/pages.ts'
import { createTwoReleases, type Releases, SECOND_RELEASE_SUFFIX } from './steps/releases.ts'
import { openInTestLanguage, registerAndOpenHome, signInPanel } from './steps/signIn.ts'
import {
  CARD_NUMBERS,
  closeReceipt,
  confirmForm,
  expectSavedDraft,
  fillTransfer,
  payButton,
  payWithCard,
  receiptSheet,
} from './steps/transfer.ts'
import { getText } from './texts.ts'
import { words } from './words.ts'

const test = base.extend<object, { releases: Releases }>({
  releases: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the fixtures from the pattern.
    async ({}, use) => {
      const releases = await createTwoReleases()
      await use(releases)
      await releases.remove()
    },
    { scope: 'worker' },
  ],
  settings: [async ({ releases }, use) => use({ SANDBOX_APP: releases.folder }), { scope: 'worker' }],
})
// Chromium refuses the page of a 404 as a style sheet.
test.use({ expectedErrors: [new RegExp(`${BROKEN_CALL_ERRORS.source}|Refused to apply style`)] })
test.beforeEach(({ releases }) => releases.publish('first'))

const build = (page: Page) => page.locator('html').getAttribute('data-build')
const expectRelease = async (page: Page, release: 'first' | 'second') =>
  expect((await build(page))?.includes(SECOND_RELEASE_SUFFIX)).toBe(release === 'second')

test('a page of an older release opens the newer one when tapped', async ({ page, releases }) => {
  const APP = '**/assets/index-*.js'
  const release = await delayRequests(page, APP)
  const asked = page.waitForRequest(APP)
  await page.goto('/')
  await asked
  await expectRelease(page, 'first')
  await releases.publish('second')
  // The page reports a failed import after several tries, and then still waits for a tap.
  const reported = page.waitForRequest('**/report-error')
  release()
  expect((await reported).postDataJSON()).toMatchObject({ kind: 'start', name: 'LoadError' })
  const reloaded = page.waitForEvent('load')
  await page.getByRole('button', { name: words.createInstead }).click()
  await reloaded
  await page.waitForFunction(() => window.opening?.isTakenOver)
  await expectRelease(page, 'second')
  await page.getByRole('button', { name: words.createInstead }).click()
  await expect(signInPanel(page).getByLabel(words.name)).toBeVisible()

  // The browser has not cached the 404.
  await releases.publish('first')
  await page.reload()
  await page.waitForFunction(() => window.opening?.isTakenOver)
  await expectRelease(page, 'first')
})

test('replaced chunks offer to reopen, and keep the transfer @all', async ({ page, releases, server }) => {
  const release = await delayRequests(page, '**/assets/Pages-*.js')
  await registerAndOpenHome(page, server)
  await page.getByLabel(words.amount).fill('42,50')
  await expectSavedDraft(page, '42,50')
  await releases.publish('second')
  release()
  const bar = page.getByRole('navigation')
  await bar.getByRole('button', { name: words.wallet }).click()
  await page.getByRole('button', { name: getText('Rouvrir l’application') }).click()
  await expect(page.getByRole('heading', { level: 1, name: words.wallet })).toBeVisible()
  await expectRelease(page, 'second')
  await page.getByRole('button', { name: words.back }).click()
  await expect(page.getByLabel(words.amount)).toHaveValue('42,50')
})

test.describe('releases with a service worker', () => {
  test.use({ serviceWorkers: 'allow' })

  async function takeOffered(page: Page) {
    await checkForNewVersion(page)
    const reloaded = page.waitForEvent('load')
    await page.getByRole('button', { name: words.update }).click()
    await reloaded
    await expectHome(page)
  }

  async function expectWhole(context: BrowserContext, page: Page, release: 'first' | 'second') {
    await context.setOffline(true)
    await page.reload()
    await expectHome(page)
    await expectRelease(page, release)
    await openProfile(page)
    await page.getByRole('button', { name: words.back }).click()
    await context.setOffline(false)
  }

  test('a release published during caching is cached next time', async ({ context, page, releases }) => {
    // Here, only the service worker requests this file.
    const PDF = '**/assets/jspdf*.js'
    const release = await delayRequests(context, PDF)
    const asked = context.waitForEvent('request', (request) => request.url().includes('/assets/jspdf'))
    await openInTestLanguage(page)
    await asked
    await releases.publish('second')
    release()
    await expect
      .poll(() =>
        page.evaluate(async () => {
          const registration = await navigator.serviceWorker.getRegistration()
          return [registration?.installing, registration?.active].map((worker) => worker?.state ?? null)
        }),
      )
      .toEqual([null, null])
    await expectRelease(page, 'first')
    await page.reload()
    await waitUntilInstalled(page)
    await expectRelease(page, 'second')
    await context.setOffline(true)
    await page.reload()
    await expectRelease(page, 'second')
    await page.getByRole('button', { name: words.createInstead }).click()
    await expect(signInPanel(page).getByLabel(words.name)).toBeVisible()
  })

  test('a rolled-back release works offline until the earlier one returns @all', async ({
    context,
    page,
    releases,
    server,
  }) => {
    await registerAndOpenHome(page, server)
    await waitUntilInstalled(page)
    await releases.publish('second')
    await takeOffered(page)
    await expectRelease(page, 'second')

    await releases.publish('first')
    await expectWhole(context, page, 'second')
    await takeOffered(page)
    await expectRelease(page, 'first')
    await expectWhole(context, page, 'first')
  })

  test('a waiting release rolled back replaces nothing @all', async ({ context, page, releases, server }) => {
    await registerAndOpenHome(page, server)
    await waitUntilInstalled(page)
    await releases.publish('second')
    await checkForNewVersion(page)
    await expect(page.getByText(words.updateReady)).toBeVisible()
    await releases.publish('first')
    await checkForNewVersion(page)
    await expectWhole(context, page, 'first')
  })

  test('a new version is offered in every tab, unchanged until accepted', async ({
    context,
    page,
    releases,
  }) => {
    await openInTestLanguage(page)
    await waitUntilInstalled(page)
    const other = await context.newPage()
    await other.goto('/')
    await releases.publish('second')
    await checkForNewVersion(page)
    await expect(page.getByText(words.updateReady)).toBeVisible()
    await expect(other.getByText(words.updateReady)).toBeVisible()
    await page.bringToFront()
    await page.reload()
    await expectRelease(page, 'first')
    await expect(page.getByText(words.updateReady)).toBeVisible()

    await page.getByRole('button', { name: words.updateLater }).click()
    await expect(page.getByText(words.updateReady)).toBeHidden()
    const reloaded = Promise.all([page.waitForEvent('load'), other.waitForEvent('load')])
    await other.bringToFront()
    await other.getByRole('button', { name: words.update }).click()
    await reloaded
    for (const tab of [page, other]) {
      await expectRelease(tab, 'second')
      await expect(tab.getByText(words.updateReady)).toBeHidden()
    }
  })

  test('a new version waits for a payment in any tab', async ({ context, page, releases, server }) => {
    await registerAndOpenHome(page, server)
    await waitUntilInstalled(page)
    const other = await openOtherTab(context)
    await page.bringToFront()
    await fillTransfer(page, { amount: '100' })
    await confirmForm(page)
    await payWithCard(page, CARD_NUMBERS.threeDSecure)
    const bank = page.frameLocator('iframe[src*="3ds"]')
    const authenticate = bank.getByRole('button', { name: words.authenticate })
    await expect(authenticate).toBeVisible()

    await releases.publish('second')
    await checkForNewVersion(other)
    const isWaiting = () => navigator.serviceWorker.ready.then(({ waiting }) => waiting !== null)
    await expect.poll(() => other.evaluate(isWaiting)).toBe(true)

    await authenticate.click()
    const receipt = receiptSheet(page)
    await expect(receipt.getByText(words.paid)).toBeVisible()
    await expect(other.getByText(words.updateReady)).toBeHidden()
    await expect(page.getByText(words.updateReady)).toBeHidden()
    // The receipt's PDF chunk has not been loaded yet, and the server has lost it.
    const download = page.waitForEvent('download')
    await receipt.getByRole('button', { name: words.download }).click()
    await download
    await expectRelease(page, 'first')
    await closeReceipt(page)
    await expect(other.getByText(words.updateReady)).toBeVisible()
    await expect(page.getByText(words.updateReady)).toBeVisible()

    // A visible offer disappears when a payment begins elsewhere.
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
    await expectRelease(page, 'second')
    await expectHome(page)
  })
})
