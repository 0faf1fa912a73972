import type { BrowserContext, Page } from '@playwright/test'
import { BROKEN_CALL_ERRORS, test as base, expect } from './fixtures.ts'
import { checkForNewVersion, waitUntilInstalled } from './steps/deployment.ts'
import { delayRequests } from './steps/faults.ts'
import { expectHome, openProfile } from './steps/pages.ts'
import { createTwoReleases, type Releases, SECOND_RELEASE_SUFFIX } from './steps/releases.ts'
import { openInTestLanguage, registerAndOpenHome, signInPanel } from './steps/signIn.ts'
import { expectSavedDraft } from './steps/transfer.ts'
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

for (const [published, then] of [
  ['first', 'second'],
  ['second', 'first'],
] as const)
  test(`a page of the ${published} release opens the ${then} one when tapped`, async ({ page, releases }) => {
    await releases.publish(published)
    const APP = '**/assets/index-*.js'
    const release = await delayRequests(page, APP)
    const asked = page.waitForRequest(APP)
    await page.goto('/')
    await asked
    await expectRelease(page, published)
    await releases.publish(then)
    // The page reports a failed import after several tries, and then still waits for a tap.
    const reported = page.waitForRequest('**/report-error')
    release()
    await reported
    const reloaded = page.waitForEvent('load')
    await page.getByRole('button', { name: words.createInstead }).click()
    await reloaded
    await page.waitForFunction(() => window.opening?.isTakenOver)
    await expectRelease(page, then)
    await page.getByRole('button', { name: words.createInstead }).click()
    await expect(signInPanel(page).getByLabel(words.name)).toBeVisible()

    // The browser has not cached the 404.
    await releases.publish(published)
    await page.reload()
    await page.waitForFunction(() => window.opening?.isTakenOver)
    await expectRelease(page, published)
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
})
