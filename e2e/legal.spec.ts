import type { Page } from '@playwright/test'
import { BROKEN_CALL_ERRORS, expect, test } from './fixtures.ts'
import { waitUntilInstalled } from './steps/deployment.ts'
import { openFromMenu, openSetting } from './steps/pages.ts'
import { openInTestLanguage, registerAndOpenHome } from './steps/signIn.ts'
import { getText, setTestLanguage } from './texts.ts'
import { words } from './words.ts'

const TEXTS = {
  fr: {
    template: 'Ce texte est un modèle que personne n’a relu. Il n’engage personne.',
    other: 'English',
    pages: [
      ['Mentions légales', 'Mentions légales', 'Passerelle (bac à sable)'],
      ['Conditions', 'Conditions d’utilisation', '1 000 € par mois au plus'],
      ['Confidentialité', 'Confidentialité', 'CNIL'],
      ['Réclamations', 'Réclamations', '15 jours ouvrables'],
      ['Accessibilité', 'Accessibilité', 'EN 301 549'],
    ],
  },
  en: {
    template: 'This text is an unreviewed template. It is not legally binding.',
    other: 'Français',
    pages: [
      ['Legal notice', 'Legal notice', 'Passerelle (bac à sable)'],
      ['Terms of use', 'Terms of use', 'At most €1,000 a month'],
      ['Privacy', 'Privacy', 'CNIL'],
      ['Complaints', 'Complaints', '35 business days'],
      ['Accessibility', 'Accessibility', 'EN 301 549'],
    ],
  },
} as const

const links = (page: Page) => page.getByRole('navigation', { name: getText('Pages légales') })

test('the sign-in screen links to legal pages in its language @english', async ({ page, language }) => {
  await openInTestLanguage(page)
  for (const [link, heading, text] of TEXTS[language].pages) {
    await links(page).getByRole('link', { name: link, exact: true }).click()
    await expect(page.getByRole('heading', { level: 1, name: heading, exact: true })).toBeVisible()
    await expect(page.locator('html')).toHaveAttribute('lang', language)
    await expect(page.getByText(TEXTS[language].template)).toBeVisible()
    await expect(page.getByRole('main')).toContainText(text)
    await expect(links(page).getByRole('link', { name: link, exact: true })).toHaveAttribute(
      'aria-current',
      'page',
    )
  }
  await page.emulateMedia({ media: 'print' })
  await expect(page.getByRole('main')).toBeVisible()
  await expect(links(page)).toBeHidden()
  await expect(page.getByRole('link', { name: words.backToApp })).toBeHidden()
  await page.emulateMedia({ media: null })

  await page.getByRole('link', { name: TEXTS[language].other }).click()
  const other = language === 'fr' ? 'en' : 'fr'
  setTestLanguage(other)
  await expect(page.getByText(TEXTS[other].template)).toBeVisible()
  await page.getByRole('link', { name: words.backToApp }).click()
  setTestLanguage(language)
  await expect(links(page)).toBeVisible()
})

test.describe('an installed app', () => {
  test.use({ serviceWorkers: 'allow', expectedErrors: [BROKEN_CALL_ERRORS] })

  test('legal pages open offline, with a way back @english', async ({ page, server, language, context }) => {
    await registerAndOpenHome(page, server)
    await waitUntilInstalled(page)
    await openFromMenu(page, words.settings)
    await context.setOffline(true)
    await openSetting(page, getText('Informations légales'))
    const [link, heading] = TEXTS[language].pages[3]
    await links(page).getByRole('link', { name: link }).click()
    await expect(page.getByRole('heading', { level: 1, name: heading })).toBeVisible()
    await page.goBack()
    await expect(page.getByRole('heading', { level: 1, name: words.settings })).toBeVisible()
  })
})
