import { nextMonthStart } from '../domain/month.ts'
import { paidUntil } from '../domain/plans.ts'
import { BROKEN_CALLS, expect, type Server, test } from './fixtures.ts'
import { holdBack } from './steps/faults.ts'
import { amount, day, expectSaid, sayOfMoney } from './steps/moneyTexts.ts'
import { expectHeadingFocused, openWallet, pressKey } from './steps/pages.ts'
import { somebody } from './steps/people.ts'
import { openPlans, payPlan, planWords, subscribeButton, writeLedger } from './steps/plans.ts'
import { CARDS, fillTransfer } from './steps/transfer.ts'
import { arriveHome, enter } from './steps/waysIn.ts'
import { pattern, say, texts } from './texts.ts'
import { words } from './words.ts'

const QUESTION =
  'Ce mois est payé : vous gardez le forfait et ses transferts jusqu’au {until}. Après, plus rien n’est débité, et vos transferts reviennent au tarif sans forfait.'
const KEPT_UNTIL = 'Résilié : vous le gardez jusqu’au {until}, puis rien ne sera plus débité.'

const says = texts({
  amount: 'Montant par transfert',
  count: 'Transferts par mois',
  cheapest: () => (name: string) => say('{name} est le moins cher pour vous', { name }),
  none: 'Aucun forfait n’est moins cher pour vous',
  countWanted: 'Saisissez un nombre de transferts',
  countTooHigh: () =>
    say(
      '{most, plural, =0 {Le plafond mensuel ne laisse passer aucun transfert de ce montant} one {Le plafond mensuel laisse passer # transfert de ce montant} other {Le plafond mensuel laisse passer # transferts de ce montant}}',
      { most: 2 },
    ),
  // The provider's own texts.
  declined: {
    fr: 'Votre carte a été refusée. Rien n’a été débité.',
    en: 'Your card was declined. Nothing was charged.',
  },
  checkoutBack: { fr: 'Retour', en: 'Back' },
  started: () => (name: string) => say('Votre forfait {name} est actif', { name }),
  left: () => (left: number, allowance: number) => say('{left} sur {allowance}', { left, allowance }),
  planFee: '(forfait Premium)',
  defaultFee: () => sayOfMoney('({DEFAULT_FEE_PERCENT} %)'),
  cancelTitle: () => sayOfMoney('Résilier le forfait {name} ?'),
  ended: () => pattern('Votre forfait {name} s’est terminé le {date}.'),
  renewalFailed: 'Le renouvellement n’a pas pu être débité',
  cardDeclined: 'Cette carte a été refusée aussi',
  stopped: () => pattern('Votre forfait {name} s’est arrêté le {date}', '(?:Basic|\\d.*)'),
  verifyUnclear: 'Nous ne savons pas encore si votre forfait est payé',
  checking: 'Nous vérifions…',
  capLeft: () => (left: string) => say('Il vous reste {left} à envoyer ce mois-ci.', { left }),
  capExceeded: 'C’est plus que ce qu’il vous reste ce mois-ci',
  asOf: 'Hors ligne : données de {text}',
  plainWallet: 'Autant de transferts que le plafond le permet, à {DEFAULT_FEE_PERCENT} % de frais.',
})

const storedPlan = async (server: Server, email: string) =>
  (await server.documents('users', 'email', email))[0]?.subscription as Record<string, unknown>

/** Takes the provider's time of one person on, by the person's own clock there. */
async function passDays(server: Server, uid: string, days: number) {
  const subscription = await subscriptionOf(server, uid)
  const { test_clock: clock } = await server.stripe.customers
    .retrieve(subscription.customer as string)
    .then((customer) => customer as { test_clock?: string })
  const { frozen_time: time } = await server.stripe.testHelpers.testClocks.retrieve(clock ?? '')
  await server.stripe.testHelpers.testClocks.advance(clock ?? '', { frozen_time: time + days * 86_400 })
}

/** The bank refuses the renewal of a person's plan, and news of it have come. */
async function refuseRenewal(server: Server, { uid, email }: { uid: string; email: string }) {
  const { id, customer } = await subscriptionOf(server, uid)
  const { id: card } = await server.stripe.paymentMethods.attach('pm_card_chargeCustomerFail', {
    customer: customer as string,
  })
  await server.stripe.subscriptions.update(id, { default_payment_method: card })
  await passDays(server, uid, 32)
  await expect.poll(() => storedPlan(server, email)).toMatchObject({ renewalFailed: true })
}

async function subscriptionOf(server: Server, uid: string) {
  const { data } = await server.stripe.subscriptions.list({ status: 'all', limit: 100 })
  const found = data.find(({ metadata }) => metadata.uid === uid)
  if (!found) throw new Error('No subscription')
  return found
}

test('a plan is compared, paid, used, canceled, and ends @spec-plan', async ({ page, server }) => {
  const person = await arriveHome(page, server)
  await openPlans(page)

  const habit = page.getByLabel(says.amount)
  const count = page.getByLabel(says.count)
  await habit.fill('100')
  await count.fill('3')
  await expect(page.getByText(says.cheapest('Premium'))).toBeVisible()
  await count.fill('2')
  await expect(page.getByText(says.cheapest('Basic'))).toBeVisible()
  await habit.fill('10')
  await expect(page.getByText(says.none)).toBeVisible()
  await habit.fill('9')
  await expect(page.getByText(words.amountTooLow)).toBeVisible()
  await habit.fill('500')
  await count.fill('3')
  await expect(page.getByText(says.countTooHigh)).toBeVisible()
  await count.fill('')
  await expect(page.getByText(says.countWanted)).toBeVisible()

  // To the provider's page, and back without having paid.
  await subscribeButton(page, 'premium').click()
  await page.getByRole('link', { name: says.checkoutBack }).click()
  await expect(subscribeButton(page, 'premium')).toBeEnabled()
  await expect(page).toHaveURL(`${server.origin}/`)
  expect(await storedPlan(server, person.email)).toMatchObject({ tier: null })

  await subscribeButton(page, 'premium').click()
  await payPlan(page, CARDS.declined)
  await expect(page.getByRole('alert')).toHaveText(says.declined)
  await payPlan(page, CARDS.threeDSecure)
  await page.getByRole('button', { name: words.authenticate }).click()
  await expect(page.getByText(says.started('Premium'))).toBeVisible()
  await expect(page).toHaveURL(`${server.origin}/`)
  await expect(page.getByText(says.left(5, 5))).toBeVisible()
  await expect(subscribeButton(page, 'basic')).toBeHidden()
  const { id } = await subscriptionOf(server, person.uid)
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
  const startDate = Date.parse(String((await storedPlan(server, person.email)).startDate))
  const end = paidUntil({ startDate, cancelAt: null } as never, Date.now()) ?? 0
  await expect(question.getByText(say(QUESTION, { until: day(end) }), { exact: true })).toBeVisible()
  await question.getByRole('button', { name: planWords.keep }).click()
  await expect(question).toBeHidden()
  expect(await server.stripe.subscriptions.retrieve(id)).toMatchObject({ cancel_at_period_end: false })
  await page.getByRole('button', { name: planWords.cancel }).click()
  await pressKey(question.getByRole('button', { name: planWords.confirm }))
  await expectSaid(page, 'Votre forfait {name} est résilié | Rien ne sera plus débité pour lui.')
  // The button that opened the question is gone with the plan's renewal.
  await expectHeadingFocused(page)
  await expect(page.getByText(say(KEPT_UNTIL, { until: day(end) }), { exact: true })).toBeVisible()
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
  await expect(subscribeButton(page, 'basic')).toBeEnabled()
  await page.goBack()
  await fillTransfer(page, { amount: '100' })
  await expect(page.getByTestId('quote').getByText(says.defaultFee)).toBeVisible()
})

test('a renewal that the bank refuses is told, and so is the end of the plan', async ({ page, server }) => {
  const person = await arriveHome(page, server)
  await openPlans(page)
  await subscribeButton(page, 'basic').click()
  await payPlan(page, CARDS.good)
  await expect(page.getByRole('heading', { name: planWords.own('Basic') })).toBeVisible()

  await refuseRenewal(server, person)
  await page.goto('/settings')
  await expect(page.getByText(says.renewalFailed)).toBeVisible()
  await expect(page.getByText(says.left(2, 2))).toBeVisible()

  await passDays(server, person.uid, 20)
  await expect.poll(() => storedPlan(server, person.email)).toMatchObject({ status: 'canceled' })
  await page.goto('/settings')
  await expect(page.getByText(says.stopped)).toBeVisible()
  await expect(subscribeButton(page, 'basic')).toBeEnabled()
})

test('another card pays a renewal that was refused', async ({ page, server }) => {
  const person = await arriveHome(page, server)
  await openPlans(page)
  await subscribeButton(page, 'basic').click()
  await payPlan(page, CARDS.good)
  await expect(page.getByRole('heading', { name: planWords.own('Basic') })).toBeVisible()
  await refuseRenewal(server, person)
  await page.goto('/settings')

  const another = page.getByRole('button', { name: planWords.anotherCard })
  await another.click()
  await payPlan(page, '4000000000000341')
  await expect(page.getByText(says.cardDeclined)).toBeVisible()
  await expect(page.getByText(says.renewalFailed)).toBeVisible()

  await another.click()
  await payPlan(page, CARDS.good)
  await expect(page.getByText(says.started('Basic'))).toBeVisible()
  await expect(page.getByText(says.renewalFailed)).toHaveCount(0)
  expect(await storedPlan(server, person.email)).not.toHaveProperty('renewalFailed')
})

test.describe('a server that does not answer', () => {
  test.use({ expectedErrors: [BROKEN_CALLS] })

  test('is asked again on the way back from a checkout, until the plan is there @spec-plan-return', async ({
    page,
    server,
  }) => {
    const person = await arriveHome(page, server)
    await openPlans(page)
    let isDown = true
    await page.route('**/.netlify/functions/verify-subscription*', (route) =>
      isDown ? route.abort() : route.fallback(),
    )
    await subscribeButton(page, 'basic').click()
    await payPlan(page, CARDS.good)
    const unclear = page.getByRole('alert').filter({ hasText: says.verifyUnclear })
    await expect(unclear).toBeVisible()
    await expect(page).toHaveURL(/\/settings\?session_id=cs_test_/)
    await page.reload()
    await expect(unclear).toBeVisible()
    // The app asks by itself too, and the button goes with a good answer: so there is one only after the press.
    await page.getByRole('button', { name: planWords.checkAgain }).click()
    isDown = false
    await expect(page.getByRole('heading', { name: planWords.own('Basic') })).toBeVisible()
    await expect(page).toHaveURL(`${server.origin}/`)

    await page.route('**/cancel-subscription', (route) =>
      route.fulfill({ status: 502, json: { code: 'paymentUnavailable', error: '' } }),
    )
    await page.getByRole('button', { name: planWords.cancel }).click()
    await page.getByRole('dialog').getByRole('button', { name: planWords.confirm }).click()
    await expect(page.getByRole('dialog')).toBeHidden()
    await expect(page.getByRole('heading', { name: planWords.own('Basic') })).toBeVisible()
    expect((await subscriptionOf(server, person.uid)).cancel_at_period_end).toBe(false)
  })
})

test.describe('back from a checkout of which the server does not know yet', () => {
  test.use({ expectedErrors: [BROKEN_CALLS] })

  test('the way on stays under the finger and is said once, however often the server is asked', async ({
    page,
    server,
  }) => {
    await arriveHome(page, server)
    const verify = '**/.netlify/functions/verify-subscription*'
    await page.route(verify, () => undefined)
    const json = { success: false, tier: 'basic', subscriptionId: null, status: 'open' }
    await page.route(verify, (route) => route.fulfill({ json }), { times: 1 })
    await page.goto('/settings?session_id=cs_test_1')
    const notice = page.getByRole('alert').filter({ hasText: says.verifyUnclear })
    await expect(notice).toBeVisible()
    const said = await notice.elementHandle()
    // It is asked once more by itself, and there is no answer. That may have begun.
    await notice.locator('..').getByRole('button').first().focus()
    const asking = page.getByRole('button', { name: says.checking })
    await expect(asking).toBeFocused()
    await expect(asking).toHaveAttribute('aria-disabled', 'true')
    expect(await said?.evaluate((element) => element.isConnected)).toBe(true)
    await expect(notice).not.toContainText(says.checking)
    await page.getByRole('button', { name: words.leaveChecking }).click()
    await expect(notice).toBeHidden()
    await expect(subscribeButton(page, 'basic')).toBeEnabled()
  })
})

test('the form keeps its place when it becomes known what is left of the month', async ({ page, server }) => {
  await arriveHome(page, server)
  const release = await holdBack(page, '**/documents:batchGet**')
  await page.getByLabel(words.amount).fill('50')
  const left = page.getByText(says.capLeft(amount(100_000)))
  // Its code has come, and it takes its place unseen.
  await expect(left).toBeAttached()
  await expect(left).toBeHidden()
  const confirmed = page.getByLabel(words.confirmPhone)
  const place = await confirmed.boundingBox()
  release()
  await expect(left).toBeVisible()
  expect(await confirmed.boundingBox()).toEqual(place)
})

test('the wallet has its place before the month is known', async ({ page, server }) => {
  await arriveHome(page, server)
  const release = await holdBack(page, '**/documents:batchGet**')
  await openWallet(page)
  const plans = page.getByRole('button', { name: words.viewPlans })
  await expect(plans).toBeVisible()
  const place = await plans.boundingBox()
  release()
  await expect(page.getByText(amount(100_000), { exact: true })).toBeVisible()
  expect(await plans.boundingBox()).toEqual(place)
})

test.describe('the month', () => {
  // Calls that are under way when the network goes.
  test.use({ expectedErrors: [BROKEN_CALLS] })

  test('what is left of the month is shown while typing, and in the wallet without a network too', async ({
    page,
    server,
    context,
  }) => {
    const person = somebody()
    const uid = await server.register(person)
    await writeLedger(server, uid, 80_000, 15_000)
    await enter(page, server, person)
    await page.getByLabel(words.amount).fill('50')
    await expect(page.getByText(says.capLeft(amount(5000)))).toBeVisible()
    await page.getByLabel(words.currency).selectOption('CAD')
    await expect(page.getByText(says.capLeft(amount(8334, 'CAD')))).toBeVisible()
    await page.getByLabel(words.currency).selectOption('EUR')
    await page.getByLabel(words.amount).fill('50,01')
    await expect(page.getByText(says.capExceeded)).toBeVisible()

    await openWallet(page)
    const cap = page.getByRole('main').filter({ visible: true })
    await expect(cap.getByText(amount(5000), { exact: true })).toBeVisible()
    await page.goBack()
    await context.setOffline(true)
    await openWallet(page)
    await expect(cap.getByText(says.asOf)).toBeVisible()
    await expect(cap.getByText(amount(5000), { exact: true })).toBeVisible()
    await expect(cap.getByText(amount(15_000))).toBeVisible()
    await expect(cap.getByText(day(nextMonthStart(Date.now())))).toBeVisible()
    await expect(cap.getByText(says.plainWallet)).toBeVisible()
  })
})
