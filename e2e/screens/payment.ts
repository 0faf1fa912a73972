import { expect } from '@playwright/test'
import { CARDS, cardFrame, confirmForm, payButton } from '../steps/transfer.ts'
import { words } from '../words.ts'
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
      shows: text('cardFormOpening'),
    },
    {
      name: 'payment-form-failed',
      at: { transfer: 'awaitingCard' },
      async reach(stage) {
        await stage.page.route('**/stripe.js', (route) => route.abort())
        await arrive(stage)
        await confirmTransfer(stage)
      },
      shows: text('cardFormFailed'),
    },
    {
      name: 'payment',
      at: { transfer: 'awaitingCard' },
      async reach(stage) {
        await arrive(stage)
        await confirmTransfer(stage)
        await expect(payButton(stage.page)).toBeEnabled()
      },
      shows: cardNumber,
    },
    {
      name: 'payment-saved-card',
      at: { transfer: 'awaitingCard' },
      async reach(stage) {
        const { page, server } = stage
        const person = await register(stage)
        await signInAs(stage, person)
        await confirmTransfer(stage)
        await expect(payButton(page)).toBeEnabled()
        const [intent] = await server.paymentIntentsOf(person.email)
        const customer = String(intent?.customer)
        const { id } = await server.stripe.paymentMethods.attach('pm_card_visa', { customer })
        await server.stripe.paymentMethods.update(id, { allow_redisplay: 'always' })
        await page.keyboard.press('Escape')
        await confirmForm(page)
        await expect(payButton(page)).toBeEnabled()
      },
      shows: ({ page }) => cardFrame(page).getByRole('radio', { name: /4242/ }),
    },
    {
      name: 'payment-card-incomplete',
      at: { transfer: 'awaitingCard' },
      async reach(stage) {
        await arrive(stage)
        await confirmTransfer(stage)
        await payButton(stage.page).click()
        await expect(stage.page.getByText(words.cardIncomplete)).toBeVisible()
      },
      shows: cardNumber,
    },
    {
      name: 'payment-3-d-secure',
      at: { transfer: 'confirmingCard.expected' },
      isSaidOnce: true,
      reach: (stage) => payWith(stage, CARDS.threeDSecure),
      shows: ({ page }) =>
        page.frameLocator('dialog iframe').getByRole('button', { name: words.authenticate }),
      heading: ({ page }) => page.frameLocator('dialog iframe').getByRole('heading', { level: 1 }),
    },
    {
      name: 'payment-declined',
      reach: (stage) => payWith(stage, CARDS.declined),
      shows: text('declined'),
    },
    {
      name: 'payment-recording',
      at: { transfer: 'recording' },
      async reach(stage) {
        await stage.page.route('**/record-transfer', () => undefined)
        await payWith(stage, CARDS.good)
      },
      shows: text('recording'),
    },
    {
      name: 'payment-checking',
      at: { transfer: 'checkingOutcome.waiting' },
      async reach(stage) {
        await stage.page.route('**/record-transfer', (route) => route.abort())
        await payWith(stage, CARDS.good)
      },
      shows: text('checking'),
    },
    {
      name: 'payment-still-checking',
      async reach(stage) {
        await stage.page.route('**/record-transfer', (route) => route.abort())
        await payWith(stage, CARDS.good)
        await stage.page.getByRole('button', { name: words.leaveChecking }).click()
      },
      shows: text('stillChecking'),
    },
  ],
}
