import type { Page } from '@playwright/test'
import { BROKEN_CALL_ERRORS, expect, test } from './fixtures.ts'
import { delayRequests } from './steps/faults.ts'
import { openFromMenu } from './steps/pages.ts'
import { registerAndOpenHome, signOut } from './steps/signIn.ts'
import { defineTexts } from './texts.ts'
import { words } from './words.ts'

test.use({ colorScheme: 'light', expectedErrors: [BROKEN_CALL_ERRORS] })

const said = defineTexts({ label: 'Apparence', auto: 'Système', dark: 'Sombre' })

const schemeField = (page: Page) => page.getByRole('combobox', { name: said.label, exact: true })

const choose = (page: Page, scheme: string) => schemeField(page).selectOption(scheme)

async function expectScheme(page: Page, scheme: 'light' | 'dark') {
  await expect(page.locator('html')).toHaveCSS('color-scheme', scheme)
  expect(await readBarColor(page)).toBe(scheme === 'dark' ? '#0c332c' : '#0f4c43')
}

/** The browser uses the first element whose media query matches. */
const readBarColor = (page: Page) =>
  page.evaluate(
    () =>
      [...document.querySelectorAll<HTMLMetaElement>('[name=theme-color]')].find(
        ({ media }) => matchMedia(media || 'all').matches,
      )?.content,
  )

test('the chosen scheme shows at once in every tab and session', async ({ page, context, server }) => {
  await registerAndOpenHome(page, server)
  await openFromMenu(page, words.settings)
  const otherTab = await context.newPage()
  await otherTab.goto('/')
  await expectScheme(otherTab, 'light')

  await context.setOffline(true)
  await choose(page, said.dark)
  await expectScheme(page, 'dark')
  await expectScheme(otherTab, 'dark')
  await context.setOffline(false)
  await otherTab.close()

  await page.emulateMedia({ media: 'print' })
  await expect(page.locator('html')).toHaveCSS('color-scheme', 'light')
  await page.emulateMedia({ media: null })

  await page.reload()
  await expect(schemeField(page).locator('option:checked')).toHaveText(said.dark)
  await choose(page, said.auto)
  await expectScheme(page, 'light')
  await page.emulateMedia({ colorScheme: 'dark' })
  await expectScheme(page, 'dark')
  await page.emulateMedia({ colorScheme: 'light' })
  await choose(page, said.dark)

  await signOut(page)
  await expectScheme(page, 'dark')
  const release = await delayRequests(page, '**/assets/*.js')
  await page.reload({ waitUntil: 'domcontentloaded' })
  await expectScheme(page, 'dark')
  expect(await page.evaluate(() => window.opening?.isTakenOver)).toBe(false)
  release()
})
