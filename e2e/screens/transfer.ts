import { expect } from '@playwright/test'
import type { HolderAnswer } from '../../domain/api.ts'
import { rightBeforeReserving } from '../steps/faults.ts'
import { writeLedger, writePlan } from '../steps/plans.ts'
import { activityRows, confirmForm, fillTransfer, openCoupon } from '../steps/transfer.ts'
import { words } from '../words.ts'
import { AMOUNT, confirmTransfer } from './paying.ts'
import { arrive, register, registerWithHistory, registerWithLedger, signInAs } from './people.ts'
import { IN_APP, type ScreensOf, type Stage, text } from './screen.ts'

export const TRANSFER_SCREENS: ScreensOf = {
  testedBy: [
    'main-job',
    'first-screens',
    'prices',
    'quote',
    'refusals',
    'contacts',
    'offline-payment',
    'waiting',
    'money-texts',
    'wallet-holder',
  ],
  at: IN_APP,
  screens: [
    {
      name: 'home-empty',
      reach: arrive,
      shows: text('noTransfers'),
    },
    {
      name: 'home-filled',
      async reach(stage) {
        await arrive(stage)
        await fillTransfer(stage.page, AMOUNT)
      },
      shows: ({ page }) =>
        page
          .getByTestId('quote')
          .getByText(/1.542.300/)
          .first(),
    },
    {
      name: 'home-field-errors',
      async reach(stage) {
        const { page } = stage
        await arrive(stage)
        await page.getByLabel(words.amount).fill('9,99')
        await page.getByLabel(words.phone).fill('+33 6 12 34 56 78')
        const coupon = await openCoupon(page)
        await coupon.fill('!')
        await coupon.blur()
        for (const said of [words.amountTooLow, words.phonePrefixWrong])
          await expect(page.getByText(said)).toBeVisible()
      },
      shows: text('couponWrong'),
    },
    {
      name: 'home-number-asked',
      async reach(stage) {
        await arrive(stage)
        await stage.page.getByLabel(words.country).selectOption('CA')
        await fillTransfer(stage.page, { amount: '150', phone: '+1 876 555 0123' })
      },
      shows: ({ page }) => page.getByText(/Est-ce bien ce numéro|Is this the right number/),
    },
    {
      name: 'home-holder-named',
      async reach(stage) {
        await holderIs(stage, { kind: 'named', name: 'Mariama B.' })
        await arrive(stage)
        await fillTransfer(stage.page, TO_MTN)
      },
      shows: ({ page }) => page.locator('[data-holder="named"]'),
    },
    {
      name: 'home-holder-none',
      async reach(stage) {
        await holderIs(stage, { kind: 'none' })
        await arrive(stage)
        await fillTransfer(stage.page, TO_MTN)
      },
      shows: ({ page }) => page.locator('[data-holder="none"]'),
    },
    {
      name: 'home-offline',
      isSaidOnce: true,
      async reach(stage) {
        await arrive(stage)
        await fillTransfer(stage.page, AMOUNT)
        // The form's code is here.
        const pay = stage.page.getByRole('main').getByRole('button', { name: words.pay })
        await expect(pay).toBeEnabled()
        await stage.page.context().setOffline(true)
        await confirmForm(stage.page)
      },
      shows: text('offline'),
    },
    {
      name: 'home-activity',
      async reach(stage) {
        await signInAs(stage, await registerWithHistory(stage))
        await fillTransfer(stage.page, AMOUNT)
      },
      shows: ({ page }) => activityRows(page).nth(3),
    },
    {
      name: 'home-history-failed',
      async reach(stage) {
        const person = await registerWithHistory(stage)
        await stage.page.route('**/documents:runQuery**', (route) => route.abort())
        await signInAs(stage, person)
      },
      shows: text('historyFailed'),
    },
    {
      name: 'cap-reached',
      async reach(stage) {
        const person = await register(stage)
        await writeLedger(stage.server, person.uid, 95_000)
        await signInAs(stage, person)
        await confirmTransfer(stage)
      },
      shows: text('capReached'),
    },
    {
      name: 'price-changed',
      async reach(stage) {
        const person = await register(stage)
        await signInAs(stage, person)
        await fillTransfer(stage.page, AMOUNT)
        await rightBeforeReserving(stage.page, () =>
          writePlan(stage.server, person, { tier: 'basic', transactionsLeft: 2 }),
        )
        await confirmForm(stage.page)
      },
      shows: ({ page }) =>
        page.getByText(/Le prix de ce transfert a changé|The price of this transfer has changed/),
    },
    {
      name: 'coupon-ended',
      async reach(stage) {
        await refusePayment(stage, 'couponEnded', 409)
        await arrive(stage)
        await (await openCoupon(stage.page)).fill('ZERO')
        await confirmTransfer(stage)
      },
      shows: ({ page }) => page.getByText(/plus valable|no longer valid/).last(),
    },
    {
      name: 'payments-paused',
      async reach(stage) {
        await refusePayment(stage, 'paymentsPaused', 403)
        await arrive(stage)
        await confirmTransfer(stage)
      },
      shows: ({ page }) => page.getByText(/Vos paiements sont suspendus|Your payments are paused/),
    },
    {
      name: 'transfer-again',
      at: { transfer: 'askingWhetherAgain' },
      async reach(stage) {
        const { page } = stage
        await signInAs(stage, await registerWithHistory(stage))
        await expect(activityRows(page)).toHaveCount(4)
        await confirmTransfer(stage)
      },
      shows: ({ page }) => page.getByRole('dialog', { name: /Envoyer à nouveau|Send again/ }),
    },
    {
      name: 'home-arrival',
      async reach(stage) {
        await stage.page.addInitScript(() => localStorage.setItem('passerelle.arrivalsTold', '1'))
        await signInAs(stage, await registerWithHistory(stage, 1))
      },
      shows: ({ page }) => page.getByText(words.expectedBy),
    },
    {
      name: 'cap-left',
      async reach(stage) {
        await signInAs(stage, await registerWithLedger(stage, { recordedCents: 80_000, reservedCents: 0 }))
        await stage.page.getByLabel(words.amount).fill('150')
      },
      shows: ({ page }) => page.getByText(/Il vous reste 200,00|You can still send €200/),
    },
    {
      name: 'cap-exceeded',
      async reach(stage) {
        await signInAs(stage, await registerWithLedger(stage, { recordedCents: 80_000, reservedCents: 0 }))
        await stage.page.getByLabel(words.amount).fill('250')
      },
      shows: ({ page }) => page.getByText(/C’est plus que|more than you have left/),
    },
  ],
}

const TO_MTN = { amount: '150', phone: '+224 660 00 04 80' }

const holderIs = ({ page }: Stage, json: HolderAnswer) =>
  page.route('**/wallet-holder', (route) => route.fulfill({ json }))

/** What the server refuses a payment for. */
const refusePayment = ({ page }: Stage, code: string, status: number) =>
  page.route('**/create-payment-intent', (route) =>
    route.fulfill({ status, json: { code, error: '', details: {} } }),
  )
