import { expect, type Page } from '@playwright/test'
import { toMonth } from '../../domain/common/month.ts'
import type { Server } from '../server.ts'
import { defineTexts, getText } from '../texts.ts'
import { openWallet } from './pages.ts'
import type { Person } from './person.ts'

export const planWords = defineTexts({
  anotherCard: 'Prendre une autre carte',
  cancel: 'Résilier le forfait',
  checkAgain: 'Vérifier à nouveau',
  confirm: 'Résilier',
  confirmRenewal: 'Confirmer le renouvellement',
  compare: 'Votre mois, au meilleur prix',
  keep: 'Garder le forfait',
  none: 'Sans forfait',
  plan: () => (name: string) => getText('Forfait {name}', { name }),
  own: () => (name: string) => getText('Votre forfait {name}', { name }),
})

export async function openPlans(page: Page) {
  await openWallet(page)
  await expect(page.getByRole('heading', { name: planWords.compare })).toBeVisible()
}

/** `tier`: null for sending without a plan. */
export const planRow = (page: Page, tier: 'basic' | 'premium' | null) =>
  page.getByRole('radio', {
    name: tier ? planWords.plan(tier === 'basic' ? 'Basic' : 'Premium') : planWords.none,
  })

export const subscribeButton = (page: Page) => page.getByRole('button', { name: /(Basic|Premium)$/ })

export async function subscribeTo(page: Page, tier: 'basic' | 'premium') {
  await planRow(page, tier).check()
  await subscribeButton(page).click()
}

export async function payForPlan(page: Page, card: string) {
  await page.locator('[name=number]').fill(card)
  await page.locator('[name=expiry]').fill('12 / 34')
  await page.locator('[name=cvc]').fill('123')
  await page.getByRole('button').click()
}

export const writePlan = (server: Server, { uid, name, email }: Person & { uid: string }, change: object) =>
  server.write(`users/${uid}`, {
    ...{ name, email, phone: null, createdAt: new Date(), madeWith: 'address', verifiedAddress: email },
    subscription: {
      ...{ tier: 'premium', status: 'active', transactionsLeft: 2, stripeSubscriptionId: 'sub_1' },
      ...{ startDate: new Date(), lastReset: new Date(), cancelAt: null, ...change },
    },
  })

export const writeLedger = (server: Server, uid: string, recordedCents: number, reservedCents = 0) => {
  const month = toMonth(Date.now())
  return server.write(`ledgers/${uid}_${month}`, {
    uid,
    month,
    recordedCents,
    reservedCents,
    reservedSlots: 0,
  })
}
