import { expect, type Page } from '@playwright/test'
import type { Words } from '../words.ts'
import { openWallet } from './pages.ts'

/** To the plans in the settings, from the wallet. */
export async function openPlans(page: Page, words: Words) {
  await openWallet(page, words)
  await page.getByRole('button', { name: words.viewPlans }).click()
  await expect(page.getByRole('heading', { level: 1, name: words.settings })).toBeVisible()
}

export const subscribeButton = (page: Page, tier: 'basic' | 'premium') =>
  page.getByRole('button', { name: tier === 'basic' ? /Basic$/ : /Premium$/ })

/** Pays on the provider's page with a card. */
export async function payPlan(page: Page, card: string) {
  await page.locator('[name=number]').fill(card)
  await page.locator('[name=expiry]').fill('12 / 34')
  await page.locator('[name=cvc]').fill('123')
  await page.getByRole('button').click()
}
