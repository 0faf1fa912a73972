import type { Page } from '@playwright/test'
import { BROKEN_CALLS, expect, test } from './fixtures.ts'
import { openFromMenu } from './steps/pages.ts'
import { arriveHome, speak } from './steps/waysIn.ts'
import { say, speakIn } from './texts.ts'
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
    template: 'This text is a template that nobody has reviewed. It binds nobody.',
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

const links = (page: Page) => page.getByRole('navigation', { name: say('Pages légales') })

test('what the law wants to be seen is one press from the sign-in, in the language on screen', async ({
  page,
  language,
}) => {
  await speak(page)
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
  await page.getByRole('link', { name: TEXTS[language].other }).click()
  const other = language === 'fr' ? 'en' : 'fr'
  speakIn(other)
  await expect(page.getByText(TEXTS[other].template)).toBeVisible()
  await page.getByRole('link', { name: words.backToApp }).click()
  speakIn(language)
  await expect(links(page)).toBeVisible()
})

test.describe('an app that is on the device', () => {
  test.use({ serviceWorkers: 'allow', expectedErrors: [BROKEN_CALLS] })

  test('the settings lead there too, without a network, and back leads to the settings', async ({
    page,
    server,
    language,
    context,
  }) => {
    await arriveHome(page, server)
    await page.evaluate(() => navigator.serviceWorker.ready)
    await openFromMenu(page, words.settings)
    await context.setOffline(true)
    const [link, heading] = TEXTS[language].pages[3]
    await links(page).getByRole('link', { name: link }).click()
    await expect(page.getByRole('heading', { level: 1, name: heading })).toBeVisible()
    await page.goBack()
    await expect(page.getByRole('heading', { level: 1, name: words.settings })).toBeVisible()
  })
})

test('on paper there is the text alone', async ({ page, language }) => {
  await page.goto(`/legal/${language}/complaints.html`)
  await page.emulateMedia({ media: 'print' })
  await expect(page.getByRole('main')).toBeVisible()
  await expect(links(page)).toBeHidden()
  await expect(page.getByRole('link', { name: words.backToApp })).toBeHidden()
})
