import type { Locator, Page } from '@playwright/test'
import { formatDay, monthOf, nextMonthStart } from '../domain/month.ts'
import { paidUntil } from '../domain/plans.ts'
import { BROKEN_CALLS, expect, type Server, test } from './fixtures.ts'
import { holdBack } from './steps/faults.ts'
import { expectHeadingFocused, openWallet, pressKey } from './steps/pages.ts'
import { somebody } from './steps/people.ts'
import { openPlans, payPlan, subscribeButton } from './steps/plans.ts'
import { CARDS, fillTransfer } from './steps/transfer.ts'
import { enter } from './steps/waysIn.ts'

const SAYS = {
  fr: {
    compare: 'Ce que vous paieriez par mois',
    amount: 'Montant par transfert',
    count: 'Transferts par mois',
    cheapest: (name: string) => `${name} est le moins cher pour vous`,
    saved: /Vous économisez 4,00\s€ par mois, abonnement compris\./,
    none: 'Aucun forfait n’est moins cher pour vous',
    countWanted: 'Saisissez un nombre de transferts',
    countTooHigh: 'Le plafond mensuel laisse passer 2 transferts de ce montant',
    offer: { none: 'Sans forfait', basic: 'Forfait Basic', premium: 'Forfait Premium' },
    total: { none: /9,00\s€/, basic: /7,00\s€/, premium: /5,00\s€/ },
    declined: 'Votre carte a été refusée. Rien n’a été débité.',
    checkoutBack: 'Retour',
    started: 'Votre forfait Premium est actif',
    own: (name: string) => `Votre forfait ${name}`,
    left: (left: number, of: number) => `${left} sur ${of}`,
    planFee: '(forfait Premium)',
    defaultFee: /\(3\s%\)/,
    cancel: 'Résilier le forfait',
    cancelTitle: /Résilier le forfait Premium\s\?/,
    until: (date: string) => new RegExp(`jusqu’au ${date}`),
    keep: 'Garder le forfait',
    confirm: 'Résilier',
    canceled: 'Votre forfait Premium est résilié',
    ended: /Votre forfait Premium s’est terminé le/,
    renewalFailed: 'Le renouvellement n’a pas pu être débité',
    anotherCard: 'Prendre une autre carte',
    cardDeclined: 'Cette carte a été refusée aussi',
    stopped: /Votre forfait Basic s’est arrêté le/,
    signInRequired: 'Veuillez vous connecter pour vous abonner',
    createFailed: 'L’abonnement n’a pas pu être créé',
    noCheckoutUrl: 'Aucune adresse de paiement reçue',
    planActive: 'Vous avez déjà un forfait',
    paused: 'Vos paiements sont suspendus pour l’instant',
    declines: /attendez 23\sheures/,
    closed: 'Les paiements sont fermés pour le moment',
    offline: 'Vous êtes hors ligne',
    notCharged: 'Rien n’a été débité.',
    verifyFailed: 'L’abonnement n’a pas pu être vérifié',
    verifyUnclear: 'Nous ne savons pas encore si votre forfait est payé',
    checkAgain: 'Vérifier à nouveau',
    checking: 'Nous vérifions…',
    planNotFound: 'Aucun abonnement actif trouvé',
    updateFailed: 'L’état de l’abonnement n’a pas pu être mis à jour',
    capLeft: /Il vous reste 50,00\s€ à envoyer ce mois-ci\./,
    capLeftInDollars: /Il vous reste 83,34\s\$CA à envoyer/,
    capExceeded: 'C’est plus que ce qu’il vous reste ce mois-ci',
    walletLeft: /^50,00\s€$/,
    walletWhole: /^1\s000,00\s€$/,
    capWhole: /Il vous reste 1\s000,00\s€ à envoyer ce mois-ci\./,
    inFlight: /150,00\s€/,
    asOf: /Hors ligne\s: données de/,
    plainWallet: /Autant de transferts que le plafond le permet/,
  },
  en: {
    compare: 'What you would pay each month',
    amount: 'Amount per transfer',
    count: 'Transfers a month',
    cheapest: (name: string) => `${name} is the cheapest for you`,
    saved: 'You save €4.00 a month, subscription included.',
    none: 'No plan is cheaper for you',
    countWanted: 'Enter a number of transfers',
    countTooHigh: 'The monthly limit lets 2 transfers of this amount through',
    offer: { none: 'Without a plan', basic: 'Basic Plan', premium: 'Premium Plan' },
    total: { none: '€9.00', basic: '€7.00', premium: '€5.00' },
    declined: 'Your card was declined. Nothing was charged.',
    checkoutBack: 'Back',
    started: 'Your Premium Plan is active',
    own: (name: string) => `Your ${name} Plan`,
    left: (left: number, of: number) => `${left} of ${of}`,
    planFee: '(Premium plan)',
    defaultFee: '(3%)',
    cancel: 'Cancel the plan',
    cancelTitle: 'Cancel the Premium Plan?',
    until: (date: string) => new RegExp(`until ${date}`),
    keep: 'Keep the plan',
    confirm: 'Cancel the plan',
    canceled: 'Your Premium Plan is cancelled',
    ended: /Your Premium Plan ended on/,
    renewalFailed: 'The renewal could not be charged',
    anotherCard: 'Use another card',
    cardDeclined: 'This card was refused too',
    stopped: /Your Basic Plan stopped on/,
    signInRequired: 'Please sign in to subscribe',
    createFailed: 'Failed to create subscription',
    noCheckoutUrl: 'No checkout URL received',
    planActive: 'You have a plan already',
    paused: 'Your payments are paused for now',
    declines: /wait 23 hours/,
    closed: 'Payments are closed for now',
    offline: 'You are offline',
    notCharged: 'Nothing was charged.',
    verifyFailed: 'Failed to verify subscription',
    verifyUnclear: 'We do not know yet whether your plan is paid',
    checkAgain: 'Check again',
    checking: 'We are checking…',
    planNotFound: 'No active subscription found',
    updateFailed: 'Failed to update subscription status',
    capLeft: 'You can still send €50.00 this month.',
    capLeftInDollars: 'You can still send CA$83.34 this month.',
    capExceeded: 'This is more than you have left this month',
    walletLeft: '€50.00',
    walletWhole: '€1,000.00',
    capWhole: 'You can still send €1,000.00 this month.',
    inFlight: '€150.00',
    asOf: 'Offline: as of',
    plainWallet: 'As many transfers as the limit allows',
  },
} as const

async function arrive(page: Page, server: Server, language: 'fr' | 'en') {
  const person = somebody()
  const uid = await server.register(person)
  await enter(page, server, language, person)
  return { ...person, uid }
}

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

const offer = (page: Page, name: string): Locator =>
  page.getByRole('listitem').filter({ has: page.getByRole('heading', { name, exact: true }) })

test('a plan is compared, paid, used, canceled, and ends @spec-plan', async ({
  page,
  server,
  language,
  words,
}) => {
  const says = SAYS[language]
  const person = await arrive(page, server, language)
  await openPlans(page, words)

  const amount = page.getByLabel(says.amount)
  const count = page.getByLabel(says.count)
  await amount.fill('100')
  await count.fill('3')
  await expect(page.getByText(says.cheapest('Premium'))).toBeVisible()
  await expect(page.getByText(says.saved)).toBeVisible()
  for (const tier of ['none', 'basic', 'premium'] as const)
    await expect(offer(page, says.offer[tier]).getByText(says.total[tier]).first()).toBeVisible()
  await count.fill('2')
  await expect(page.getByText(says.cheapest('Basic'))).toBeVisible()
  await amount.fill('10')
  await expect(page.getByText(says.none)).toBeVisible()
  await amount.fill('9')
  await expect(page.getByText(words.amountTooLow)).toBeVisible()
  await amount.fill('500')
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
  await expect(page.getByText(says.started)).toBeVisible()
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

  await openWallet(page, words)
  await expect(page.getByText(says.left(5, 5))).toBeVisible()
  await page.goBack()
  await fillTransfer(page, words, { amount: '100' })
  await expect(page.getByTestId('quote').getByText(says.planFee)).toBeVisible()

  await openPlans(page, words)
  await page.getByRole('button', { name: says.cancel }).click()
  const question = page.getByRole('dialog', { name: says.cancelTitle })
  const startDate = Date.parse(String((await storedPlan(server, person.email)).startDate))
  const end = paidUntil({ startDate, cancelAt: null } as never, Date.now()) ?? 0
  const until = says.until(formatDay(end, language))
  await expect(question.getByText(until)).toBeVisible()
  await question.getByRole('button', { name: says.keep }).click()
  await expect(question).toBeHidden()
  expect(await server.stripe.subscriptions.retrieve(id)).toMatchObject({ cancel_at_period_end: false })
  await page.getByRole('button', { name: says.cancel }).click()
  await pressKey(question.getByRole('button', { name: says.confirm }))
  await expect(page.getByText(says.canceled)).toBeVisible()
  // The button that opened the question is gone with the plan's renewal.
  await expectHeadingFocused(page)
  await expect(page.getByText(until)).toBeVisible()
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
  await fillTransfer(page, words, { amount: '100' })
  await expect(page.getByTestId('quote').getByText(says.defaultFee)).toBeVisible()
})

test('a renewal that the bank refuses is told, and so is the end of the plan', async ({
  page,
  server,
  language,
  words,
}) => {
  const says = SAYS[language]
  const person = await arrive(page, server, language)
  await openPlans(page, words)
  await subscribeButton(page, 'basic').click()
  await payPlan(page, CARDS.good)
  await expect(page.getByRole('heading', { name: says.own('Basic') })).toBeVisible()

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

test('another card pays a renewal that was refused', async ({ page, server, language, words }) => {
  const says = SAYS[language]
  const person = await arrive(page, server, language)
  await openPlans(page, words)
  await subscribeButton(page, 'basic').click()
  await payPlan(page, CARDS.good)
  await expect(page.getByRole('heading', { name: says.own('Basic') })).toBeVisible()
  await refuseRenewal(server, person)
  await page.goto('/settings')

  const another = page.getByRole('button', { name: says.anotherCard })
  await another.click()
  await payPlan(page, '4000000000000341')
  await expect(page.getByText(says.cardDeclined)).toBeVisible()
  await expect(page.getByText(says.renewalFailed)).toBeVisible()

  await another.click()
  await payPlan(page, CARDS.good)
  await expect(page.getByText(says.started.replace('Premium', 'Basic'))).toBeVisible()
  await expect(page.getByText(says.renewalFailed)).toHaveCount(0)
  expect(await storedPlan(server, person.email)).not.toHaveProperty('renewalFailed')
})

test.describe('what goes wrong', () => {
  test.use({ expectedErrors: [BROKEN_CALLS] })

  test('is said, with what it means for the money @spec-plan-return', async ({
    page,
    server,
    language,
    words,
    context,
  }) => {
    const says = SAYS[language]
    const person = await arrive(page, server, language)
    await openPlans(page, words)
    const answer = (call: string, status: number, json: object, times = 1) =>
      page.route(`**/.netlify/functions/${call}*`, (route) => route.fulfill({ status, json }), { times })
    const subscribe = subscribeButton(page, 'basic')
    const told = async (text: string | RegExp, more?: string) => {
      const notice = page.getByRole('alert').or(page.getByRole('status')).filter({ hasText: text })
      await expect(notice).toBeVisible()
      if (more) await expect(notice).toContainText(more)
    }

    await answer('create-subscription', 503, { code: 'unavailable', error: '' })
    await pressKey(subscribe)
    await told(says.createFailed, says.notCharged)
    await expect(subscribe).toBeFocused()
    // Once more, with a newer token.
    await answer('create-subscription', 401, { code: 'unauthenticated', error: 'Not authenticated' }, 2)
    await subscribe.click()
    await told(says.signInRequired)
    await answer('create-subscription', 200, {})
    await subscribe.click()
    await told(says.noCheckoutUrl, says.notCharged)
    await answer('create-subscription', 409, { code: 'planActive', error: '' })
    await subscribe.click()
    await told(says.planActive, says.notCharged)
    for (const [code, status, said] of [
      ['paymentsPaused', 403, says.paused],
      ['tooManyDeclines', 429, says.declines],
      ['paymentsClosed', 503, says.closed],
    ] as const) {
      await answer('create-subscription', status, { code, error: '', details: { retryAfterSeconds: 82_000 } })
      await subscribe.click()
      await told(said, says.notCharged)
    }
    await context.setOffline(true)
    await subscribe.click()
    await told(says.offline, says.notCharged)
    await context.setOffline(false)

    await page.goto('/settings?session_id=cs_test_unknown')
    await told(says.verifyFailed)
    await expect(page).toHaveURL(`${server.origin}/`)

    // The way back is taken while the server does not answer: it is asked again, and the plan is there.
    let isDown = true
    await page.route('**/.netlify/functions/verify-subscription*', (route) =>
      isDown ? route.abort() : route.fallback(),
    )
    await subscribe.click()
    await payPlan(page, CARDS.good)
    await told(says.verifyUnclear)
    await expect(page).toHaveURL(/\/settings\?session_id=cs_test_/)
    await page.reload()
    await told(says.verifyUnclear)
    // The app asks by itself too, and the button goes with a good answer: so there is one only after the press.
    await page.getByRole('button', { name: says.checkAgain }).click()
    isDown = false
    await expect(page.getByRole('heading', { name: says.own('Basic') })).toBeVisible()
    await expect(page).toHaveURL(`${server.origin}/`)

    const cancel = async () => {
      await page.getByRole('button', { name: says.cancel }).click()
      await page.getByRole('dialog').getByRole('button', { name: says.confirm }).click()
    }
    await answer('cancel-subscription', 404, { code: 'planNotFound', error: '' })
    await cancel()
    await told(says.planNotFound)
    await answer('cancel-subscription', 502, { code: 'paymentUnavailable', error: '' })
    await cancel()
    await told(says.updateFailed, says.notCharged)
    await expect(page.getByRole('heading', { name: says.own('Basic') })).toBeVisible()
    expect((await subscriptionOf(server, person.uid)).cancel_at_period_end).toBe(false)
  })
})

test.describe('back from a checkout of which the server does not know yet', () => {
  test.use({ expectedErrors: [BROKEN_CALLS] })

  test('the way on stays under the finger and is said once, however often the server is asked', async ({
    page,
    server,
    language,
    words,
  }) => {
    const says = SAYS[language]
    await arrive(page, server, language)
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

test('the form keeps its place when it becomes known what is left of the month', async ({
  page,
  server,
  language,
  words,
}) => {
  await arrive(page, server, language)
  const release = await holdBack(page, '**/documents:batchGet**')
  await page.getByLabel(words.amount).fill('50')
  const left = page.getByText(SAYS[language].capWhole)
  // Its code has come, and it takes its place unseen.
  await expect(left).toBeAttached()
  await expect(left).toBeHidden()
  const confirmed = page.getByLabel(words.confirmPhone)
  const place = await confirmed.boundingBox()
  release()
  await expect(left).toBeVisible()
  expect(await confirmed.boundingBox()).toEqual(place)
})

test('the wallet has its place before the month is known', async ({ page, server, language, words }) => {
  await arrive(page, server, language)
  const release = await holdBack(page, '**/documents:batchGet**')
  await openWallet(page, words)
  const plans = page.getByRole('button', { name: words.viewPlans })
  await expect(plans).toBeVisible()
  const place = await plans.boundingBox()
  release()
  await expect(page.getByText(SAYS[language].walletWhole)).toBeVisible()
  expect(await plans.boundingBox()).toEqual(place)
})

test.describe('the month', () => {
  // Calls that are under way when the network goes.
  test.use({ expectedErrors: [BROKEN_CALLS] })

  test('what is left of the month is shown while typing, and in the wallet without a network too', async ({
    page,
    server,
    language,
    words,
    context,
  }) => {
    const says = SAYS[language]
    const person = somebody()
    const uid = await server.register(person)
    const month = monthOf(Date.now())
    await server.write(`ledgers/${uid}_${month}`, {
      uid,
      month,
      recordedCents: 80_000,
      reservedCents: 15_000,
      reservedSlots: 0,
    })
    await enter(page, server, language, person)
    await page.getByLabel(words.amount).fill('50')
    await expect(page.getByText(says.capLeft)).toBeVisible()
    await page.getByLabel(words.currency).selectOption('CAD')
    await expect(page.getByText(says.capLeftInDollars)).toBeVisible()
    await page.getByLabel(words.currency).selectOption('EUR')
    await page.getByLabel(words.amount).fill('50,01')
    await expect(page.getByText(says.capExceeded)).toBeVisible()

    await openWallet(page, words)
    const cap = page.getByRole('main').filter({ visible: true })
    await expect(cap.getByText(says.walletLeft)).toBeVisible()
    await page.goBack()
    await context.setOffline(true)
    await openWallet(page, words)
    await expect(cap.getByText(says.asOf)).toBeVisible()
    await expect(cap.getByText(says.walletLeft)).toBeVisible()
    await expect(cap.getByText(says.inFlight)).toBeVisible()
    await expect(cap.getByText(formatDay(nextMonthStart(Date.now()), language))).toBeVisible()
    await expect(cap.getByText(says.plainWallet)).toBeVisible()
  })
})
