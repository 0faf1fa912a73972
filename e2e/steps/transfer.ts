import { expect, type Page } from '@playwright/test'
import type { StoredDraft } from '../../src/cache/database.ts'
import { words } from '../words.ts'
import { pressKey } from './pages.ts'

export const CARD_NUMBERS = {
  good: '4242424242424242',
  declined: '4000000000000002',
  noFunds: '4000000000009995',
  threeDSecure: '4000002760003184',
} as const

export async function fillTransfer(
  page: Page,
  { amount, phone = '+224 620 00 00 00' }: { amount: string; phone?: string },
) {
  // The signed-out screen has an amount field too.
  await page.getByRole('heading', { name: words.send }).waitFor()
  await page.getByLabel(words.amount).fill(amount)
  await page.getByLabel(words.phone).fill(phone)
  // By its key, because the facts about the number move the box when they arrive during a click.
  const confirmation = page.getByLabel(words.confirmPhone)
  if (!(await confirmation.isChecked())) await pressKey(confirmation, 'Space')
  await expect(confirmation).toBeChecked()
}

export async function openPrice(page: Page) {
  await page.getByTestId('quote').getByRole('button').click()
  return page.getByRole('dialog', { name: words.price })
}

export async function openCoupon(page: Page) {
  await openPrice(page)
  return page.getByLabel(words.coupon)
}

export const closePrice = (page: Page) =>
  page.getByRole('dialog', { name: words.price }).getByRole('button', { name: words.backToTransfer }).click()

export async function typeCoupon(page: Page, code: string) {
  await (await openCoupon(page)).fill(code)
  await closePrice(page)
}

export const confirmForm = (page: Page) =>
  page.getByRole('main').getByRole('button', { name: words.pay }).click()

export async function openCardForm(page: Page) {
  await confirmForm(page)
  await expect(payButton(page)).toBeEnabled()
}

export async function confirmByKey(page: Page) {
  const button = page.getByRole('main').getByRole('button', { name: words.pay })
  await pressKey(button)
  return button
}

export const cardFrame = (page: Page) => page.frameLocator('iframe[src*="payment-element"]')

export async function typeCard(page: Page, number: string) {
  const frame = cardFrame(page)
  await frame.getByLabel(words.cardNumber).fill(number)
  await frame.getByLabel(words.expiry).fill('12 / 34')
  await frame.getByLabel(words.cvc).fill('123')
}

export const payButton = (page: Page) => page.getByRole('dialog').getByRole('button', { name: words.pay })

export async function payWithCard(page: Page, card: string = CARD_NUMBERS.good) {
  await typeCard(page, card)
  await payButton(page).click()
}

export const receiptSheet = (page: Page) => page.getByRole('dialog', { name: words.receipt })

export const activityRows = (page: Page) =>
  page.getByRole('region', { name: words.activity }).getByRole('listitem').getByRole('button')

export const closeReceipt = (page: Page) =>
  page.getByRole('dialog').getByRole('button', { name: words.close, exact: true }).click()

export async function payAndExpectReceipt(page: Page, card: string = CARD_NUMBERS.good) {
  await payWithCard(page, card)
  await expect(receiptSheet(page)).toBeVisible()
}

export async function sendMoney(page: Page, transfer: { amount: string; phone?: string }) {
  await fillTransfer(page, transfer)
  await confirmForm(page)
  await payAndExpectReceipt(page)
}

/** Null without a database. */
export const readSavedDrafts = (page: Page) =>
  page.evaluate(async () => {
    const { name } = (await indexedDB.databases()).find((one) => one.name?.startsWith('passerelle-')) ?? {}
    // Opening a missing database would create an empty one.
    if (!name) return null
    const database = await new Promise<IDBDatabase>((resolve) => {
      const opening = indexedDB.open(name)
      opening.onsuccess = () => resolve(opening.result)
    })
    const rows = await new Promise<StoredDraft[]>((resolve) => {
      const reading = database.transaction('drafts').objectStore('drafts').getAll()
      reading.onsuccess = () => resolve(reading.result)
    })
    database.close()
    return rows
  })

/** The device saves the form when typing pauses; undefined: no saved form. */
export async function expectSavedDraft(page: Page, amount: string | undefined) {
  const kept = async () => {
    const rows = await readSavedDrafts(page)
    return rows === null ? null : rows[0]?.draft.amount
  }
  await expect.poll(kept).toBe(amount)
}
