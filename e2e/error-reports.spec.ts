import type { Page } from '@playwright/test'
import { CRASH_OR_BROKEN_CALL_ERRORS, expect, test } from './fixtures.ts'
import { crashHomeScreen } from './steps/faults.ts'
import { openFromMenu } from './steps/pages.ts'
import { registerAndOpenHome } from './steps/signIn.ts'
import { words } from './words.ts'

const ANY_ERROR = new RegExp(`Minified React error|${CRASH_OR_BROKEN_CALL_ERRORS.source}`)
test.use({ expectedErrors: [ANY_ERROR] })

function listenForReports(page: Page) {
  const reports: object[] = []
  page.on('response', async (response) => {
    if (response.url().endsWith('/report-error'))
      reports.push({ status: response.status(), ...response.request().postDataJSON() })
  })
  return reports
}

const buildExpectedReports = (report: object) => [
  expect.objectContaining({ status: 200, release: expect.stringMatching(/^[\w-]{8}$/), ...report }),
]

test('an unhandled rejection is reported once, without personal data @desk', async ({ page, server }) => {
  const reports = listenForReports(page)
  await registerAndOpenHome(page, server)
  await page.evaluate(() => {
    for (let i = 0; i < 2; i++) void Promise.reject(new RangeError('not foreseen for Mariama, +224620000000'))
    void Promise.reject(new SyntaxError('not foreseen at the end'))
  })
  await expect.poll(() => reports).toHaveLength(2)
  expect(reports).toEqual(
    expect.arrayContaining([
      ...buildExpectedReports({ kind: 'promise', name: 'RangeError', place: '' }),
      ...buildExpectedReports({ kind: 'promise', name: 'SyntaxError', place: '' }),
    ]),
  )

  // An unsent report is dropped: a rejection of its own would be an unexpected error.
  await page.route('**/report-error', (route) => route.abort())
  const failed = page.waitForEvent('requestfailed', (request) => request.url().endsWith('/report-error'))
  await page.evaluate(() => void Promise.reject(new EvalError('not foreseen')))
  await failed
  await openFromMenu(page, words.settings)
})

test('a screen that fails to render is reported with its component @desk', async ({ page, server }) => {
  const reports = listenForReports(page)
  await registerAndOpenHome(page, server)
  await crashHomeScreen(page)
  await expect(page.getByRole('heading', { level: 1, name: words.crashed })).toBeVisible()
  const place = expect.stringMatching(/^\w+:\d+:\d+$/)
  await expect.poll(() => reports).toEqual(buildExpectedReports({ kind: 'caught', name: 'Error', place }))
})

test('a prerendered page that React can’t hydrate is reported @desk @all', async ({ page }) => {
  const reports = listenForReports(page)
  await page.addInitScript(() =>
    addEventListener('DOMContentLoaded', () => {
      const text = document.querySelector('h1 span')
      if (text) text.textContent = 'changed'
    }),
  )
  await page.goto('/')
  const name = expect.stringMatching(/^React \d{3}$/)
  await expect.poll(() => reports).toEqual(buildExpectedReports({ kind: 'uncaught', name }))
})
