import { expect, type Page } from '@playwright/test'
import { monthOf } from '../../domain/month.ts'
import type { Server } from '../server.ts'
import { say, texts } from '../texts.ts'
import { words } from '../words.ts'
import { openWallet } from './pages.ts'
import type { Person } from './people.ts'

export const planWords = texts({
  anotherCard: 'Prendre une autre carte',
  cancel: 'Résilier le forfait',
  checkAgain: 'Vérifier à nouveau',
  confirm: 'Résilier',
  keep: 'Garder le forfait',
  own: () => (name: string) => say('Votre forfait {name}', { name }),
})

/** To the plans in the settings, from the wallet. */
export async function openPlans(page: Page) {
  await openWallet(page)
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

/** Stores a Premium plan as the provider's webhooks do. */
export const writePlan = (server: Server, { uid, name, email }: Person & { uid: string }, change: object) =>
  server.write(`users/${uid}`, {
    ...{ name, email, phone: null, createdAt: new Date(), madeWith: 'address', verifiedAddress: email },
    subscription: {
      ...{ tier: 'premium', status: 'active', transactionsLeft: 2, stripeSubscriptionId: 'sub_1' },
      ...{ startDate: new Date(), lastReset: new Date(), cancelAt: null, ...change },
    },
  })

/** Stores the use of this month. */
export const writeLedger = (server: Server, uid: string, recordedCents: number, reservedCents = 0) => {
  const month = monthOf(Date.now())
  return server.write(`ledgers/${uid}_${month}`, {
    uid,
    month,
    recordedCents,
    reservedCents,
    reservedSlots: 0,
  })
}
