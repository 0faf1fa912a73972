import type { Page } from '@playwright/test'
import { BROKEN_CALLS, expect, type Server, test } from './fixtures.ts'
import {
  amount,
  answer,
  day,
  expectRefusals,
  expectSaid,
  FUNCTIONS,
  price,
  refusal,
  sayOfMoney,
  THEN,
} from './steps/moneyTexts.ts'
import { openWallet, pressKey } from './steps/pages.ts'
import { somebody } from './steps/people.ts'
import { openPlans, planWords, subscribeButton, writePlan } from './steps/plans.ts'
import { arriveHome, enter } from './steps/waysIn.ts'
import { say } from './texts.ts'
import { words } from './words.ts'

// The plans show the reviewed texts about money, word for word. The functions' answers are mocked: other tests show when
// they are given.
test.use({ expectedErrors: [BROKEN_CALLS] })

const REFUSALS: Readonly<Record<string, string>> = {
  unavailable: 'L’abonnement n’a pas pu être créé | Rien n’a été débité. Réessayez dans un moment.',
  unauthenticated:
    'Veuillez vous connecter pour vous abonner | Votre session a pris fin. Déconnectez-vous, puis reconnectez-vous.',
  planActive:
    'Vous avez déjà un forfait | Rien n’a été débité. Vous pourrez en prendre un autre quand celui-ci sera terminé.',
  emailUnverified:
    'Vérifiez d’abord votre adresse e-mail | Rien n’a été débité. Ouvrez le lien de l’e-mail de vérification, puis reconnectez-vous.',
  paymentsPaused:
    'Vos paiements sont suspendus pour l’instant | Rien n’a été débité. Contactez notre assistance : nous regarderons cela avec vous.',
  tooManyDeclines:
    'Trop de cartes ont été refusées | Rien n’a été débité. Pour protéger vos cartes, attendez {wait} avant de réessayer. Votre banque peut vous dire pourquoi elle refuse.',
  paymentsClosed: 'Les paiements sont fermés pour le moment | Rien n’a été débité. Réessayez plus tard.',
}
const NO_CHECKOUT = 'Aucune adresse de paiement reçue | Rien n’a été débité. Réessayez dans un moment.'
const OFFLINE = 'Vous êtes hors ligne | Rien n’a été débité. Réessayez quand le réseau est revenu.'
const VERIFYING =
  'Nous vérifions votre paiement… | Restez sur cette page un instant. Rien ne sera payé deux fois.'
const VERIFY_FAILED =
  'L’abonnement n’a pas pu être vérifié | Ce paiement n’est pas, ou n’est plus, celui d’un forfait de votre compte. Si votre carte a été débitée, votre forfait apparaît ici sans rien payer de plus.'
const VERIFY_UNCLEAR =
  'Nous ne savons pas encore si votre forfait est payé | S’il l’est, il apparaît ici dès que la banque l’a confirmé, sans rien payer de plus.'
const NOT_FOUND =
  'Aucun abonnement actif trouvé | Rien n’a changé. Ce que vous voyez ici est l’état de maintenant.'
const UPDATE_FAILED =
  'L’état de l’abonnement n’a pas pu être mis à jour | Rien n’a été débité. Ce que vous voyez ici est l’état de maintenant ; réessayez si besoin.'
const UPDATE_UNCLEAR =
  'Nous ne savons pas encore où en est votre forfait | Rien n’a été débité. Ce que vous voyez ici n’est peut-être plus à jour : si vous avez résilié, c’est peut-être déjà fait. Regardez à nouveau quand le réseau est revenu ; réessayer est sans risque.'
const CARD_PAGE_FAILED =
  'La page de la carte n’a pas pu s’ouvrir | Rien n’a été débité. Réessayez dans un moment.'
const CARD_DECLINED =
  'Cette carte a été refusée aussi | Rien n’a été débité. Votre forfait reste comme il était ; essayez une autre carte, ou parlez à votre banque.'
const RENEWAL_FAILED =
  'Le renouvellement n’a pas pu être débité | Votre banque a refusé le paiement du forfait. Nous réessayons pendant quelques jours ; approvisionnez votre compte, ou prenez une autre carte. Si le paiement ne passe pas, le forfait s’arrête, et vous pourrez vous abonner de nouveau.'
const STOPPED =
  'Votre forfait {name} s’est arrêté le {date} | Votre banque a refusé son renouvellement. Rien n’a été débité pour ce nouveau mois ; vous pouvez vous abonner de nouveau.'

/** A new person at home who has this plan. */
async function arriveWithPlan(page: Page, server: Server, change: object) {
  const person = somebody()
  const somebodyNew = { ...person, uid: await server.register(person) }
  await writePlan(server, somebodyNew, change)
  await enter(page, server, person)
  return somebodyNew
}

async function cancelPlan(page: Page) {
  await page.getByRole('button', { name: planWords.cancel }).click()
  await page.getByRole('dialog').getByRole('button', { name: planWords.confirm }).click()
}

const keptUntil = (page: Page) =>
  page.getByText(sayOfMoney('Résilié : vous le gardez jusqu’au {until}, puis rien ne sera plus débité.'), {
    exact: true,
  })

test('the plans say what every refusal means for the money @spec-plan-texts @spec-plan-return', async ({
  page,
  server,
}) => {
  await arriveHome(page, server)
  await openPlans(page)
  const subscribe = subscribeButton(page, 'basic')
  await expectRefusals(
    page,
    'create-subscription',
    REFUSALS,
    () => pressKey(subscribe),
    () => expect(subscribe).toBeFocused(),
  )
  await answer(page, 'create-subscription', { json: {} })
  await subscribe.click()
  await expectSaid(page, NO_CHECKOUT)
  await page.context().setOffline(true)
  await subscribe.click()
  await expectSaid(page, OFFLINE)
  await page.context().setOffline(false)

  await page.goto('/settings?session_id=cs_test_unknown')
  await expectSaid(page, VERIFY_FAILED)
  await expect(page).toHaveURL(`${server.origin}/`)
})

test('a plan that is looked up, not renewed or left says what is charged @spec-plan-end-texts', async ({
  page,
  server,
}) => {
  await arriveWithPlan(page, server, { renewalFailed: true })
  // The app asks again by itself, after a while.
  const verify = `${FUNCTIONS}/verify-subscription*`
  await page.route(verify, () => undefined)
  await page.goto('/settings?session_id=cs_test_1')
  await expectSaid(page, VERIFYING)
  await page.route(verify, (route) => route.fulfill(refusal('unavailable')))
  await page.reload()
  await expectSaid(page, VERIFY_UNCLEAR)
  await expect(page.getByRole('button', { name: words.leaveChecking })).toBeVisible()
  // The app asks by itself too, and the button goes with a final answer: so there is one only after the press.
  await page.getByRole('button', { name: planWords.checkAgain }).click()
  await page.route(verify, (route) =>
    route.fulfill({ json: { success: false, tier: 'premium', subscriptionId: 'sub_1', status: 'declined' } }),
  )
  await expectSaid(page, CARD_DECLINED)
  await expectSaid(page, RENEWAL_FAILED, {}, planWords.anotherCard)

  await answer(page, 'change-card', refusal('unavailable'))
  const anotherCard = page.getByRole('button', { name: planWords.anotherCard })
  await pressKey(anotherCard)
  await expectSaid(page, CARD_PAGE_FAILED)
  await expect(anotherCard).toBeFocused()
  for (const [code, said] of [
    ['unavailable', UPDATE_FAILED],
    ['planNotFound', NOT_FOUND],
  ] as const) {
    await answer(page, 'cancel-subscription', refusal(code))
    await cancelPlan(page)
    await expectSaid(page, said)
  }
})

test('a cancellation of which nothing is heard is not said to have failed, and is shown once it is known', async ({
  page,
  server,
}) => {
  const person = await arriveWithPlan(page, server, {})
  await openPlans(page)
  // The server has cancelled the plan when the network goes.
  const calls = /cancel-subscription|documents:batchGet/
  await page.route(calls, async (route) => {
    await writePlan(server, person, { status: 'canceled', cancelAt: new Date(THEN) })
    await route.abort()
  })
  await cancelPlan(page)
  await expectSaid(page, UPDATE_UNCLEAR)
  await page.context().setOffline(true)
  await page.unroute(calls)
  await page.context().setOffline(false)
  await expect(keptUntil(page)).toBeVisible()
  await expect(page.getByText(say('Nous ne savons pas encore où en est votre forfait'))).toBeHidden()
})

test('the wallet and the plans say what a transfer costs, and what a plan brings @spec-plan-features', async ({
  page,
  server,
}) => {
  await arriveHome(page, server)
  await openWallet(page)
  for (const id of [
    'Ce que vous pouvez encore envoyer ce mois-ci',
    'Autant de transferts que le plafond le permet, à {DEFAULT_FEE_PERCENT} % de frais.',
  ])
    await expect(page.getByText(sayOfMoney(id), { exact: true })).toBeVisible()
  await page.getByRole('button', { name: words.viewPlans }).click()
  await page.locator('[name=habitAmount]').fill('100')
  await page.locator('[name=habitCount]').fill('3')
  await expectSaid(
    page,
    '{name} est le moins cher pour vous | Vous économisez {saved} par mois, abonnement compris.',
    { saved: amount(400) },
  )
  const costs = 'par mois : {0} d’abonnement et {1} de frais'
  const monthly = '{monthly} par mois, sans engagement'
  const reduced =
    '{allowance, plural, one {# transfert par mois à {fee} de frais} other {# transferts par mois à {fee} de frais chacun}}'
  const free =
    '{allowance, plural, one {# transfert par mois sans frais} other {# transferts par mois sans frais}}'
  const beyond = sayOfMoney('Au-delà : {DEFAULT_FEE_PERCENT} % de frais')
  for (const [name, total, ...features] of [
    [
      say('Sans forfait'),
      say('par mois : {0} de frais', { 0: amount(900) }),
      sayOfMoney('{DEFAULT_FEE_PERCENT} % de frais par transfert'),
    ],
    [
      say('Forfait {name}', { name: 'Basic' }),
      say(costs, { 0: amount(200), 1: amount(500) }),
      say(monthly, { monthly: price(200) }),
      say(reduced, { allowance: 2, fee: price(100) }),
      beyond,
    ],
    [
      say('Forfait {name}', { name: 'Premium' }),
      say(costs, { 0: amount(500), 1: amount(0) }),
      say(monthly, { monthly: price(500) }),
      say(free, { allowance: 5 }),
      beyond,
    ],
  ] as const) {
    const offer = page.getByRole('listitem').filter({ has: page.getByRole('heading', { name, exact: true }) })
    await expect(offer.getByText(total, { exact: true })).toBeVisible()
    await expect(offer.getByRole('listitem')).toHaveText(features)
  }
})

test('a plan that stopped says that nothing was charged for it any more', async ({ page, server }) => {
  const cancelAt = Date.UTC(2026, 1, 1)
  await arriveWithPlan(page, server, {
    status: 'canceled',
    cancelAt: new Date(cancelAt),
    renewalFailed: true,
  })
  await openPlans(page)
  await expectSaid(page, STOPPED, { date: day(cancelAt) })
})
