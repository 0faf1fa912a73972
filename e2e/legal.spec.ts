import type { Page } from '@playwright/test'
import { BROKEN_CALLS, expect, test } from './fixtures.ts'
import { openFromMenu } from './steps/pages.ts'
import { arriveHome, speak } from './steps/waysIn.ts'

const SAID = {
  fr: {
    links: 'Pages légales',
    template: 'Ce texte est un modèle que personne n’a relu. Il n’engage personne.',
    back: 'Retour à Passerelle',
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
    links: 'Legal pages',
    template: 'This text is a template that nobody has reviewed. It binds nobody.',
    back: 'Back to Passerelle',
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

const links = (page: Page, name: string) => page.getByRole('navigation', { name })

test('what the law wants to be seen is one press from the sign-in, in the language on screen', async ({
  page,
  language,
}) => {
  const said = SAID[language]
  await speak(page, language)
  for (const [link, heading, text] of said.pages) {
    await links(page, said.links).getByRole('link', { name: link, exact: true }).click()
    await expect(page.getByRole('heading', { level: 1, name: heading, exact: true })).toBeVisible()
    await expect(page.locator('html')).toHaveAttribute('lang', language)
    await expect(page.getByText(said.template)).toBeVisible()
    await expect(page.getByRole('main')).toContainText(text)
    await expect(links(page, said.links).getByRole('link', { name: link, exact: true })).toHaveAttribute(
      'aria-current',
      'page',
    )
  }
  await page.getByRole('link', { name: said.other }).click()
  const other = SAID[language === 'fr' ? 'en' : 'fr']
  await expect(page.getByText(other.template)).toBeVisible()
  await page.getByRole('link', { name: other.back }).click()
  await expect(links(page, said.links)).toBeVisible()
})

test.describe('an app that is on the device', () => {
  test.use({ serviceWorkers: 'allow', expectedErrors: [BROKEN_CALLS] })

  test('the settings lead there too, without a network, and back leads to the settings', async ({
    page,
    server,
    language,
    words,
    context,
  }) => {
    const said = SAID[language]
    await arriveHome(page, server, language)
    await page.evaluate(() => navigator.serviceWorker.ready)
    await openFromMenu(page, words, words.settings)
    await context.setOffline(true)
    const [link, heading] = said.pages[3]
    await links(page, said.links).getByRole('link', { name: link }).click()
    await expect(page.getByRole('heading', { level: 1, name: heading })).toBeVisible()
    await page.goBack()
    await expect(page.getByRole('heading', { level: 1, name: words.settings })).toBeVisible()
  })
})

test('on paper there is the text alone', async ({ page, language }) => {
  await page.goto(`/legal/${language}/complaints.html`)
  await page.emulateMedia({ media: 'print' })
  await expect(page.getByRole('main')).toBeVisible()
  await expect(links(page, SAID[language].links)).toBeHidden()
  await expect(page.getByRole('link', { name: SAID[language].back })).toBeHidden()
})
