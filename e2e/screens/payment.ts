import { expect } from '@playwright/test'
import { CARDS, cardFrame, confirmForm, payButton } from '../steps/transfer.ts'
import { confirmTransfer, payWith } from './paying.ts'
import { arrive, register, signInAs } from './people.ts'
import { cardNumber, IN_APP, type ScreensOf, text } from './screen.ts'

export const PAYMENT_SCREENS: ScreensOf = {
  testedBy: [
    'main-job',
    'refusals',
    'returning',
    'restart',
    'offline-payment',
    'waiting',
    'money-texts',
    'saved-cards',
  ],
  at: IN_APP,
  screens: [
    {
      name: 'payment-opening',
      at: { transfer: 'awaitingCard' },
      async reach(stage) {
        await stage.page.route('**/stripe.js', () => undefined)
        await arrive(stage)
        await confirmTransfer(stage)
      },
      shows: text((words) => words.cardFormOpening),
    },
    {
      name: 'payment-form-failed',
      at: { transfer: 'awaitingCard' },
      async reach(stage) {
        await stage.page.route('**/stripe.js', (route) => route.abort())
        await arrive(stage)
        await confirmTransfer(stage)
      },
      shows: text((words) => words.cardFormFailed),
    },
    {
      name: 'payment',
      at: { transfer: 'awaitingCard' },
      async reach(stage) {
        await arrive(stage)
        await confirmTransfer(stage)
        await expect(payButton(stage.page, stage.words)).toBeEnabled()
      },
      shows: cardNumber,
    },
    {
      name: 'payment-saved-card',
      at: { transfer: 'awaitingCard' },
      async reach(stage) {
        const { page, server, words } = stage
        const person = await register(stage)
        await signInAs(stage, person)
        await confirmTransfer(stage)
        await expect(payButton(page, words)).toBeEnabled()
        const [intent] = await server.paymentIntentsOf(person.email)
        const customer = String(intent?.customer)
        const { id } = await server.stripe.paymentMethods.attach('pm_card_visa', { customer })
        await server.stripe.paymentMethods.update(id, { allow_redisplay: 'always' })
        await page.keyboard.press('Escape')
        await confirmForm(page, words)
        await expect(payButton(page, words)).toBeEnabled()
      },
      shows: ({ page }) => cardFrame(page).getByRole('radio', { name: /4242/ }),
    },
    {
      name: 'payment-card-incomplete',
      at: { transfer: 'awaitingCard' },
      async reach(stage) {
        await arrive(stage)
        await confirmTransfer(stage)
        await payButton(stage.page, stage.words).click()
        await expect(stage.page.getByText(stage.words.cardIncomplete)).toBeVisible()
      },
      shows: cardNumber,
    },
    {
      name: 'payment-3-d-secure',
      at: { transfer: 'confirmingCard.expected' },
      isSaidOnce: true,
      reach: (stage) => payWith(stage, CARDS.threeDSecure),
      shows: ({ page, words }) =>
        page.frameLocator('dialog iframe').getByRole('button', { name: words.authenticate }),
      heading: ({ page }) => page.frameLocator('dialog iframe').getByRole('heading', { level: 1 }),
    },
    {
      name: 'payment-declined',
      reach: (stage) => payWith(stage, CARDS.declined),
      shows: text((words) => words.declined),
    },
    {
      name: 'payment-recording',
      at: { transfer: 'recording' },
      async reach(stage) {
        await stage.page.route('**/record-transfer', () => undefined)
        await payWith(stage, CARDS.good)
      },
      shows: text((words) => words.recording),
    },
    {
      name: 'payment-checking',
      at: { transfer: 'checkingOutcome.waiting' },
      async reach(stage) {
        await stage.page.route('**/record-transfer', (route) => route.abort())
        await payWith(stage, CARDS.good)
      },
      shows: text((words) => words.checking),
    },
    {
      name: 'payment-still-checking',
      async reach(stage) {
        await stage.page.route('**/record-transfer', (route) => route.abort())
        await payWith(stage, CARDS.good)
        await stage.page.getByRole('button', { name: stage.words.leaveChecking }).click()
      },
      shows: text((words) => words.stillChecking),
    },
  ],
}
