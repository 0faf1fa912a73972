import type { Locator, Page } from '@playwright/test'
import { formatNextReset } from '../domain/common/month.ts'
import { getPaidUntil } from '../domain/prices/plans.ts'
import { ledger } from '../machines/testing/transferSituations.ts'
import { buildPlanProfile, PREMIUM_SUBSCRIPTION } from '../scenes/fixtures.ts'
import { SCENE_TIME } from '../scenes/scene.ts'
import { expect, type Server, sceneTest, test } from './fixtures.ts'
import {
  expectNoticeTexts,
  formatAmountText,
  formatDayText,
  getMoneyText,
  NO_NETWORK,
} from './steps/moneyTexts.ts'
import { expectHeadingFocused, openWallet, pressKey } from './steps/pages.ts'
import { openPlans, payForPlan, planRow, planWords, subscribeButton, subscribeTo } from './steps/plans.ts'
import { openScene, setOffline, setResponse } from './steps/scenes.ts'
import { registerAndOpenHome } from './steps/signIn.ts'
import { CARD_NUMBERS, closePrice, fillTransfer, openPrice } from './steps/transfer.ts'
import { buildTextPattern, defineTexts, getText } from './texts.ts'
import { words } from './words.ts'

const QUESTION =
  'Ce mois est payé : vous gardez le forfait et ses transferts jusqu’au {until}. Après, plus rien n’est débité, et vos transferts reviennent au tarif sans forfait.'
const KEPT_UNTIL = 'Résilié : vous le gardez jusqu’au {until}, puis rien ne sera plus débité.'

const says = defineTexts({
  amount: 'Montant par transfert',
  count: 'Transferts par mois',
  cheapest: () => (name: string) => getText('{name} est le moins cher pour vous', { name }),
  none: 'Aucun forfait n’est moins cher pour vous',
  countWanted: 'Saisissez un nombre de transferts',
  countTooHigh: () =>
    getText(
      '{most, plural, =0 {Le plafond mensuel ne laisse passer aucun transfert de ce montant} one {Le plafond mensuel laisse passer # transfert de ce montant} other {Le plafond mensuel laisse passer # transferts de ce montant}}',
      { most: 2 },
    ),
  // Texts of the provider's pages.
  declined: {
    fr: 'Votre carte a été refusée. Rien n’a été débité.',
    en: 'Your card was declined. Nothing was charged.',
  },
  checkoutBack: { fr: 'Retour', en: 'Back' },
  confirmPayment: { fr: 'Confirmer le paiement', en: 'Confirm payment' },
  invoicePaid: { fr: 'Facture payée', en: 'Invoice paid' },
  started: () => (name: string) => getText('Votre forfait {name} est actif', { name }),
  left: () => (left: number, allowance: number) => getText('{left} sur {allowance}', { left, allowance }),
  planFee: 'forfait Premium',
  defaultFee: () => getMoneyText('{DEFAULT_FEE_PERCENT} %'),
  cancelTitle: () => getMoneyText('Résilier le forfait {name} ?'),
  ended: () => buildTextPattern('Votre forfait {name} s’est terminé le {date}.'),
  renewalFailed: 'Le renouvellement n’a pas pu être débité',
  cardDeclined: 'Cette carte a été refusée aussi',
  confirmationAsked: 'Votre banque attend votre confirmation',
  cardUnconfirmed: 'Votre banque veut que vous confirmiez avec cette carte aussi',
  stopped: () => buildTextPattern('Votre forfait {name} s’est arrêté le {date}', '(?:Basic|\\d.*)'),
  verifyUnclear: 'Nous ne savons pas encore si votre forfait est payé',
  checking: 'Nous vérifions…',
  capLeft: 'Il vous reste ce mois-ci',
  capExceeded: 'C’est plus que ce qu’il vous reste ce mois-ci',
  asOf: 'Hors ligne : données de {text}',
})

const STATUS = 'subscriptions.fetchCheckoutStatus'

const getTop = async (element: Locator) => (await element.boundingBox())?.y ?? Number.NaN

const capLeft = (price: Locator) =>
  price.locator('dl > div').filter({ hasText: says.capLeft }).getByRole('definition')

const storedPlan = async (server: Server, email: string) =>
  (await server.documents('users', 'email', email))[0]?.subscription

async function passDays(server: Server, uid: string, days: number) {
  const subscription = await findSubscription(server, uid)
  const { test_clock: clock } = await server.stripe.customers
    .retrieve(subscription.customer as string)
    .then((customer) => customer as { test_clock?: string })
  const { frozen_time: time } = await server.stripe.testHelpers.testClocks.retrieve(clock ?? '')
  await server.stripe.testHelpers.testClocks.advance(clock ?? '', { frozen_time: time + days * 86_400 })
}

async function refuseRenewal(server: Server, { uid, email }: { uid: string; email: string }) {
  const { id, customer } = await findSubscription(server, uid)
  const { id: card } = await server.stripe.paymentMethods.attach('pm_card_chargeCustomerFail', {
    customer: customer as string,
  })
  await server.stripe.subscriptions.update(id, { default_payment_method: card })
  await passDays(server, uid, 32)
  await expect.poll(() => storedPlan(server, email)).toMatchObject({ renewalFailed: true })
}

async function findSubscription(server: Server, uid: string) {
  const { data } = await server.stripe.subscriptions.list({ status: 'all', limit: 100 })
  const found = data.find(({ metadata }) => metadata.uid === uid)
  if (!found) throw new Error('No subscription')
  return found
}

test('a user buys and cancels a plan, then pays the default fee @spec-plan', async ({ page, server }) => {
  const person = await registerAndOpenHome(page, server)
  await openPlans(page)
  await subscribeTo(page, 'premium')
  await page.getByRole('link', { name: says.checkoutBack }).click()
  await expect(subscribeButton(page)).toBeEnabled()
  await expect(page).toHaveURL(`${server.origin}/`)
  expect(await storedPlan(server, person.email)).toMatchObject({ tier: null })

  await subscribeTo(page, 'premium')
  await payForPlan(page, CARD_NUMBERS.declined)
  await expect(page.getByRole('alert')).toHaveText(says.declined)
  await payForPlan(page, CARD_NUMBERS.threeDSecure)
  await page.getByRole('button', { name: words.authenticate }).click()
  await expect(page.getByText(says.started('Premium'))).toBeVisible()
  await expect(page).toHaveURL(`${server.origin}/`)
  await expect(page.getByText(says.left(5, 5))).toBeVisible()
  await expect(subscribeButton(page)).toBeHidden()
  const { id } = await findSubscription(server, person.uid)
  expect(await storedPlan(server, person.email)).toMatchObject({
    tier: 'premium',
    status: 'active',
    transactionsLeft: 5,
    stripeSubscriptionId: id,
    cancelAt: null,
  })

  await openWallet(page)
  await expect(page.getByText(says.left(5, 5))).toBeVisible()
  await page.goBack()
  await fillTransfer(page, { amount: '100' })
  await expect(page.getByTestId('quote').getByText(says.planFee)).toBeVisible()

  await openPlans(page)
  await page.getByRole('button', { name: planWords.cancel }).click()
  const question = page.getByRole('dialog', { name: says.cancelTitle })
  const startDate = (await storedPlan(server, person.email)).startDate.toMillis()
  const end = getPaidUntil({ startDate, cancelAt: null } as never, Date.now()) ?? 0
  await expect(
    question.getByText(getText(QUESTION, { until: formatDayText(end) }), { exact: true }),
  ).toBeVisible()
  await question.getByRole('button', { name: planWords.keep }).click()
  await expect(question).toBeHidden()
  expect(await server.stripe.subscriptions.retrieve(id)).toMatchObject({ cancel_at_period_end: false })
  await page.getByRole('button', { name: planWords.cancel }).click()
  await pressKey(question.getByRole('button', { name: planWords.confirm }))
  await expectNoticeTexts(page, 'Votre forfait {name} est résilié | Rien ne sera plus débité pour lui.')
  // The button that opened the dialog is gone once the plan is canceled.
  await expectHeadingFocused(page)
  await expect(
    page.getByText(getText(KEPT_UNTIL, { until: formatDayText(end) }), { exact: true }),
  ).toBeVisible()
  expect(await server.stripe.subscriptions.retrieve(id)).toMatchObject({
    cancel_at_period_end: true,
    cancel_at: end / 1000,
  })
  await expect(page.getByText(says.left(5, 5))).toBeVisible()

  await passDays(server, person.uid, 32)
  await expect
    .poll(async () => (await storedPlan(server, person.email)).cancelAt)
    .not.toBe(new Date(end).toISOString())
  await page.goto('/settings')
  await expect(page.getByText(says.ended)).toBeVisible()
  await expect(subscribeButton(page)).toBeEnabled()
  await page.goBack()
  await fillTransfer(page, { amount: '100' })
  await expect(page.getByTestId('quote').getByText(says.defaultFee)).toBeVisible()
})

test('a declined renewal is paid with another card, or ends the plan', async ({ page, server }) => {
  const person = await registerAndOpenHome(page, server)
  await openPlans(page)
  await subscribeTo(page, 'basic')
  await payForPlan(page, CARD_NUMBERS.good)
  await expect(page.getByRole('heading', { name: planWords.own('Basic') })).toBeVisible()
  await refuseRenewal(server, person)
  await page.goto('/settings')
  await expect(page.getByText(says.renewalFailed)).toBeVisible()
  await expect(page.getByText(says.left(2, 2))).toBeVisible()

  const another = page.getByRole('button', { name: planWords.anotherCard })
  await another.click()
  await payForPlan(page, '4000000000000341')
  await expect(page.getByText(says.cardDeclined)).toBeVisible()
  await expect(page.getByText(says.renewalFailed)).toBeVisible()

  await another.click()
  await payForPlan(page, CARD_NUMBERS.good)
  await expect(page.getByText(says.started('Basic'))).toBeVisible()
  await expect(page.getByText(says.renewalFailed)).toHaveCount(0)
  expect(await storedPlan(server, person.email)).not.toHaveProperty('renewalFailed')

  await refuseRenewal(server, person)
  await passDays(server, person.uid, 20)
  await expect.poll(() => storedPlan(server, person.email)).toMatchObject({ status: 'canceled' })
  await page.goto('/settings')
  await expect(page.getByText(says.stopped)).toBeVisible()
  await expect(subscribeButton(page)).toBeEnabled()
})

async function confirmRenewal(page: Page) {
  const opened = page.waitForEvent('popup')
  await page.getByRole('link', { name: planWords.confirmRenewal }).click()
  const invoice = await opened
  await invoice.getByRole('button', { name: says.confirmPayment }).click()
  await invoice.getByRole('button', { name: words.authenticate }).click()
  await expect(invoice.getByRole('heading', { name: says.invoicePaid })).toBeVisible()
  await invoice.close()
  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
  await expect(page.getByText(says.started('Basic'))).toBeVisible()
}

test('a user confirms a renewal on its invoice’s page, with either card', async ({ page, server }) => {
  const person = await registerAndOpenHome(page, server)
  await openPlans(page)
  await subscribeTo(page, 'basic')
  await payForPlan(page, CARD_NUMBERS.threeDSecure)
  await page.getByRole('button', { name: words.authenticate }).click()
  await expect(page.getByRole('heading', { name: planWords.own('Basic') })).toBeVisible()
  await passDays(server, person.uid, 32)
  await expect.poll(() => storedPlan(server, person.email)).toHaveProperty('confirmation')

  await page.goto('/')
  const asked = page.getByRole('alert').filter({ hasText: says.confirmationAsked, visible: true })
  await expect(asked).toBeVisible()
  await openPlans(page)
  await expect(asked).toBeVisible()
  await confirmRenewal(page)
  await expect(asked).toHaveCount(0)
  await page.goBack()
  await expect(page.getByLabel(words.amount)).toBeVisible()
  await expect(asked).toHaveCount(0)
  const plan = await storedPlan(server, person.email)
  expect(plan).not.toHaveProperty('renewalFailed')
  expect(plan).not.toHaveProperty('confirmation')
  expect(await findSubscription(server, person.uid)).toMatchObject({ status: 'active' })

  await refuseRenewal(server, person)
  await page.goto('/settings')
  await page.getByRole('button', { name: planWords.anotherCard }).click()
  await payForPlan(page, CARD_NUMBERS.threeDSecure)
  await expect(page.getByText(says.cardUnconfirmed)).toBeVisible()
  await expect(page.getByText(says.cardDeclined)).toHaveCount(0)
  await confirmRenewal(page)
  await expect(page.getByText(says.cardUnconfirmed)).toHaveCount(0)
})

sceneTest('the return is checked until the plan is found @spec-plan-return', async ({ page }) => {
  const readAddress = () => page.evaluate(() => String(Reflect.get(window, 'sceneAddress')))
  // The app's own checks wait.
  await openScene(page, 'plan-checking', { delays: { 2000: 600_000 } })
  await setResponse(page, STATUS, NO_NETWORK)
  await expect(page.getByRole('alert').filter({ hasText: says.verifyUnclear })).toBeVisible()
  expect(await readAddress()).toMatch(/\/settings\?session_id=cs_test_1$/)
  await setResponse(page, 'profiles.fetchProfile', { value: buildPlanProfile(PREMIUM_SUBSCRIPTION) })
  await setResponse(page, STATUS, { value: { success: true, tier: 'premium', subscriptionId: 'sub_1' } })
  await page.getByRole('button', { name: planWords.checkAgain }).click()
  await expect(page.getByRole('heading', { name: planWords.own('Premium') })).toBeVisible()
  expect(await readAddress()).toMatch(/example\/$/)
})

sceneTest('the plans name the cheapest one, or the problem of a field', async ({ page }) => {
  await openScene(page, 'plans')
  const habit = page.getByLabel(says.amount)
  const count = page.getByLabel(says.count, { exact: true })
  for (const [amount, transfers, said] of [
    ['100', '3', says.cheapest('Premium')],
    ['100', '2', says.cheapest('Basic')],
    ['10', '2', says.none],
    ['9', '2', words.amountTooLow],
    ['500', '3', says.countTooHigh],
    ['500', '', says.countWanted],
  ] as const) {
    await habit.fill(amount)
    await count.fill(transfers)
    await expect(page.getByText(said)).toBeVisible()
  }
})

sceneTest('an unclear checkout is announced once, and its button keeps the focus', async ({ page }) => {
  await openScene(page, 'plan-checking')
  await setResponse(page, STATUS, {
    value: { success: false, status: 'open', tier: 'premium', subscriptionId: null },
  })
  const notice = page.getByRole('alert').filter({ hasText: says.verifyUnclear })
  await expect(notice).toBeVisible()
  await setResponse(page, STATUS, 'held')
  const said = await notice.elementHandle()
  // The app also checks automatically, and may have begun to. This time it gets no response.
  await notice.locator('..').getByRole('button').first().focus()
  const asking = page.getByRole('button', { name: says.checking })
  await expect(asking).toBeFocused()
  await expect(asking).toHaveAttribute('aria-disabled', 'true')
  expect(await said?.evaluate((element) => element.isConnected)).toBe(true)
  await expect(notice).not.toContainText(says.checking)
  await page.getByRole('button', { name: words.leaveChecking }).click()
  await expect(notice).toBeHidden()
  await expect(subscribeButton(page)).toBeEnabled()
})

sceneTest('price and wallet do not move when the monthly cap is loaded', async ({ page }) => {
  const LEDGER = 'ledgers.fetchLedger'
  const responses = { [LEDGER]: 'held' } as const
  await openScene(page, 'home-filled', { responses })
  const price = await openPrice(page)
  await expect(capLeft(price)).toHaveText('–')
  const coupon = page.getByLabel(words.coupon)
  const couponTop = await getTop(coupon)
  await setResponse(page, LEDGER, { value: ledger })
  await expect(capLeft(price)).toHaveText(formatAmountText(100_000))
  expect(await getTop(coupon)).toBeCloseTo(couponTop, 0)

  await openScene(page, 'wallet', { rows: {}, responses })
  const plans = page.getByRole('heading', { name: planWords.compare })
  const plansTop = await getTop(plans)
  await setResponse(page, LEDGER, { value: ledger })
  await expect(page.getByText(formatAmountText(100_000), { exact: true })).toBeVisible()
  expect(await getTop(plans)).toBeCloseTo(plansTop, 0)
})

sceneTest('the rest of the cap is in the form’s currency, also offline', async ({ page, language }) => {
  const ledgers = [{ ...ledger, recordedCents: 80_000, reservedCents: 15_000, asOf: SCENE_TIME }]
  await openScene(page, 'home-filled', { rows: { ledgers } })
  for (const [currency, minor] of [
    ['CAD', 8334],
    ['EUR', 5000],
  ] as const) {
    await page.getByLabel(words.currency).selectOption(currency)
    await expect(capLeft(await openPrice(page))).toHaveText(formatAmountText(minor, currency))
    await closePrice(page)
  }
  await page.getByLabel(words.amount).fill('50,01')
  await expect(page.getByText(says.capExceeded)).toBeVisible()

  await setOffline(page, true)
  await openWallet(page)
  const cap = page.getByRole('main').filter({ visible: true })
  await expect(cap.getByText(says.asOf)).toBeVisible()
  await expect(cap.getByText(formatAmountText(5000), { exact: true })).toBeVisible()
  await expect(cap.getByText(formatAmountText(15_000))).toBeVisible()
  await expect(cap.getByText(formatNextReset(SCENE_TIME, language))).toBeVisible()
  await expect(planRow(page, null)).toBeVisible()
})
