import { expect, type Page } from '@playwright/test'
import { words } from '../words.ts'
import { pressKey } from './pages.ts'

export const CARDS = {
  good: '4242424242424242',
  declined: '4000000000000002',
  noFunds: '4000000000009995',
  threeDSecure: '4000002760003184',
  threeDSecureThenDeclined: '4000008400001629',
} as const

export async function fillTransfer(
  page: Page,
  { amount, phone = '+224 620 00 00 00' }: { amount: string; phone?: string },
) {
  // The signed-out screen asks for an amount too.
  await page.getByRole('heading', { name: words.send }).waitFor()
  await page.getByLabel(words.amount).fill(amount)
  await page.getByLabel(words.phone).fill(phone)
  await page.getByLabel(words.confirmPhone).check()
}

/** The field of who says that they have a coupon. */
export async function openCoupon(page: Page) {
  await page.getByRole('button', { name: words.haveCoupon }).click()
  return page.getByLabel(words.coupon)
}

/** From the filled transfer form to the payment, or to what it is refused for. */
export const confirmForm = (page: Page) =>
  page.getByRole('main').getByRole('button', { name: words.pay }).click()

/** The same by the keyboard. Answers the button that was pressed. */
export async function confirmByKey(page: Page) {
  const button = page.getByRole('main').getByRole('button', { name: words.pay })
  await pressKey(button)
  return button
}

/** The provider's form in the payment sheet. */
export const cardFrame = (page: Page) => page.frameLocator('iframe[src*="payment-element"]')

export async function typeCard(page: Page, number: string) {
  const frame = cardFrame(page)
  await frame.getByLabel(words.cardNumber).fill(number)
  await frame.getByLabel(words.expiry).fill('12 / 34')
  await frame.getByLabel(words.cvc).fill('123')
}

/** The button in the payment sheet. */
export const payButton = (page: Page) => page.getByRole('dialog').getByRole('button', { name: words.pay })

/** Types a card into the payment sheet, and pays with it. */
export async function payWithCard(page: Page, card: string = CARDS.good) {
  await typeCard(page, card)
  await payButton(page).click()
}

export const receiptSheet = (page: Page) => page.getByRole('dialog', { name: words.receipt })

/** The rows of the recent activity. */
export const activityRows = (page: Page) =>
  page.getByRole('region', { name: words.activity }).getByRole('button')

/** Closes the receipt. */
export const closeReceipt = (page: Page) =>
  receiptSheet(page).getByRole('button', { name: words.done, exact: true }).click()

/** Pays with a card in the payment sheet, and waits for the receipt. */
export async function pay(page: Page, card: string = CARDS.good) {
  await payWithCard(page, card)
  await expect(receiptSheet(page).getByText(words.paid)).toBeVisible()
}

/** Fills in the transfer form and pays it, up to the receipt. */
export async function sendMoney(page: Page, transfer: { amount: string; phone?: string }) {
  await fillTransfer(page, transfer)
  await confirmForm(page)
  await pay(page)
}
