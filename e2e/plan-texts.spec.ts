import type { Page } from '@playwright/test'
import { BROKEN_CALL_ERRORS, expect, type Server, test } from './fixtures.ts'
import {
  buildRefusal,
  expectNoticeTexts,
  expectRefusals,
  FUNCTIONS_PATTERN,
  formatAmountText,
  formatDayText,
  formatPriceText,
  getMoneyText,
  MOCK_DATE,
  mockFunctionResponse,
} from './steps/moneyTexts.ts'
import { openWallet, pressKey } from './steps/pages.ts'
import { createPerson } from './steps/person.ts'
import { openPlans, planRow, planWords, subscribeButton, writePlan } from './steps/plans.ts'
import { openSignedInHome, registerAndOpenHome } from './steps/signIn.ts'
import { getText } from './texts.ts'
import { words } from './words.ts'

// The plans show the reviewed texts about money, word for word. Responses of the functions are mocked: other
// tests show when they occur.
test.use({ expectedErrors: [BROKEN_CALL_ERRORS] })

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
  'L’abonnement n’a pas pu être vérifié | Nous n’avons pas pu associer ce paiement à un forfait de votre compte. Si votre carte a été débitée, votre forfait apparaîtra ici : ne payez pas une seconde fois.'
const VERIFY_UNCLEAR =
  'Nous ne savons pas encore si votre forfait est payé | S’il l’est, il apparaîtra ici dès que la banque l’aura confirmé. Vous n’avez rien de plus à payer.'
const NOT_FOUND = 'Aucun abonnement actif trouvé | Rien n’a changé. Cette page est à jour.'
const UPDATE_FAILED =
  'L’état de l’abonnement n’a pas pu être mis à jour | Rien n’a été débité. Cette page est à jour ; réessayez si besoin.'
const UPDATE_UNCLEAR =
  'Nous ne savons pas encore où en est votre forfait | Rien n’a été débité. Cette page n’est peut-être plus à jour : si vous avez résilié, c’est peut-être déjà fait. Vérifiez quand le réseau sera revenu ; réessayer est sans risque.'
const CARD_PAGE_FAILED =
  'La page de la carte n’a pas pu s’ouvrir | Rien n’a été débité. Réessayez dans un moment.'
const CARD_DECLINED =
  'Cette carte a été refusée aussi | Rien n’a été débité. Votre forfait reste comme il était ; essayez une autre carte, ou parlez à votre banque.'
const RENEWAL_FAILED =
  'Le renouvellement n’a pas pu être débité | Votre banque a refusé le paiement du forfait. Nous réessayons pendant quelques jours ; approvisionnez votre compte, ou prenez une autre carte. Si le paiement ne passe pas, le forfait s’arrête, et vous pourrez vous abonner de nouveau.'
const CARD_UNCONFIRMED =
  'Votre banque veut que vous confirmiez avec cette carte aussi | Rien n’a encore été débité. Confirmez le renouvellement, ou prenez une autre carte.'
const UNCONFIRMED =
  'Votre banque attend votre confirmation | Le renouvellement du forfait {name} n’est pas débité sans elle. Vous gardez le forfait au moins jusqu’au {date}.'
const UNCONFIRMED_AT_LAST =
  'Votre banque attend votre confirmation | Le renouvellement du forfait {name} n’est pas débité sans elle. Vous gardez le forfait en attendant.'
const STOPPED =
  'Votre forfait {name} s’est arrêté le {date} | Votre banque a refusé son renouvellement. Rien n’a été débité pour ce nouveau mois ; vous pouvez vous abonner de nouveau.'

/** Registers a user with this plan, and opens the home screen. */
async function arriveWithPlan(page: Page, server: Server, change: object) {
  const person = createPerson()
  const somebodyNew = { ...person, uid: await server.register(person) }
  await writePlan(server, somebodyNew, change)
  await openSignedInHome(page, server, person)
  return somebodyNew
}

async function cancelPlan(page: Page) {
  await page.getByRole('button', { name: planWords.cancel }).click()
  await page.getByRole('dialog').getByRole('button', { name: planWords.confirm }).click()
}

const keptUntil = (page: Page) =>
  page.getByText(getMoneyText('Résilié : vous le gardez jusqu’au {until}, puis rien ne sera plus débité.'), {
    exact: true,
  })

test('the list of plans explains every refusal and what it means for the money @spec-plan-texts @spec-plan-return @english', async ({
  page,
  server,
}) => {
  await registerAndOpenHome(page, server)
  await openPlans(page)
  const subscribe = subscribeButton(page)
  await expectRefusals(
    page,
    'create-subscription',
    REFUSALS,
    () => pressKey(subscribe),
    () => expect(subscribe).toBeFocused(),
  )
  await mockFunctionResponse(page, 'create-subscription', { json: {} })
  await subscribe.click()
  await expectNoticeTexts(page, NO_CHECKOUT)
  await page.context().setOffline(true)
  await subscribe.click()
  await expectNoticeTexts(page, OFFLINE)
  await page.context().setOffline(false)

  await page.goto('/settings?session_id=cs_test_unknown')
  await expectNoticeTexts(page, VERIFY_FAILED)
  await expect(page).toHaveURL(`${server.origin}/`)
})

test('the plan says what is charged while a payment is checked and when renewal or cancellation fails @spec-plan-end-texts @english', async ({
  page,
  server,
}) => {
  await arriveWithPlan(page, server, { renewalFailed: true })
  // The server does not respond.
  const verify = `${FUNCTIONS_PATTERN}/verify-subscription*`
  await page.route(verify, () => undefined)
  await page.goto('/settings?session_id=cs_test_1')
  await expectNoticeTexts(page, VERIFYING)
  await page.route(verify, (route) => route.fulfill(buildRefusal('unavailable')))
  await page.reload()
  await expectNoticeTexts(page, VERIFY_UNCLEAR)
  await expect(page.getByRole('button', { name: words.leaveChecking })).toBeVisible()
  // The app also checks automatically, and a final response removes the button, so the server sends that
  // response only after the press.
  await page.getByRole('button', { name: planWords.checkAgain }).click()
  await page.route(verify, (route) =>
    route.fulfill({ json: { success: false, tier: 'premium', subscriptionId: 'sub_1', status: 'declined' } }),
  )
  await expectNoticeTexts(page, CARD_DECLINED)
  await expectNoticeTexts(page, RENEWAL_FAILED)

  await mockFunctionResponse(page, 'change-card', buildRefusal('unavailable'))
  const anotherCard = page.getByRole('button', { name: planWords.anotherCard })
  await pressKey(anotherCard)
  await expectNoticeTexts(page, CARD_PAGE_FAILED)
  await expect(anotherCard).toBeFocused()
  for (const [code, said] of [
    ['unavailable', UPDATE_FAILED],
    ['planNotFound', NOT_FOUND],
  ] as const) {
    await mockFunctionResponse(page, 'cancel-subscription', buildRefusal(code))
    await cancelPlan(page)
    await expectNoticeTexts(page, said)
  }
})

test('the notice of a renewal to confirm says that nothing is charged before, and until when the plan stays @english', async ({
  page,
  server,
}) => {
  await page.route(`${FUNCTIONS_PATTERN}/refresh-plan`, (route) => route.fulfill({ json: {} }))
  const unconfirmed = (keptUntil: Date | null) => ({
    renewalFailed: true,
    confirmation: { url: `${server.origin}/t/none`, keptUntil },
  })
  const person = await arriveWithPlan(page, server, unconfirmed(new Date(MOCK_DATE)))
  await expectNoticeTexts(page, UNCONFIRMED)
  await page.route(`${FUNCTIONS_PATTERN}/verify-subscription*`, (route) =>
    route.fulfill({
      json: { success: false, tier: 'premium', subscriptionId: 'sub_1', status: 'unconfirmed' },
    }),
  )
  await page.goto('/settings?session_id=cs_test_1')
  await expectNoticeTexts(page, CARD_UNCONFIRMED)
  await expectNoticeTexts(page, UNCONFIRMED)
  await writePlan(server, person, unconfirmed(null))
  await page.goto('/')
  await expectNoticeTexts(page, UNCONFIRMED_AT_LAST)
})

test('a plan’s cancellation without a response is reported as unclear until its outcome is known @english', async ({
  page,
  server,
}) => {
  const person = await arriveWithPlan(page, server, {})
  await openPlans(page)
  // The server has canceled the plan when the network fails.
  const calls = /cancel-subscription|documents:batchGet/
  await page.route(calls, async (route) => {
    await writePlan(server, person, { status: 'canceled', cancelAt: new Date(MOCK_DATE) })
    await route.abort()
  })
  await cancelPlan(page)
  await expectNoticeTexts(page, UPDATE_UNCLEAR)
  await page.context().setOffline(true)
  await page.unroute(calls)
  await page.context().setOffline(false)
  await expect(keptUntil(page)).toBeVisible()
  await expect(page.getByText(getText('Nous ne savons pas encore où en est votre forfait'))).toBeHidden()
})

test('the wallet and the plans show the price of a transfer and the features of a plan @spec-plan-features @english', async ({
  page,
  server,
}) => {
  await registerAndOpenHome(page, server)
  await openWallet(page)
  for (const id of ['Ce que vous pouvez encore envoyer ce mois-ci', 'Plafond {cap}, renouvelé le'])
    await expect(page.getByText(getMoneyText(id), { exact: true })).toBeVisible()
  await page.locator('[name=habitAmount]').fill('100')
  await page.locator('[name=habitCount]').fill('3')
  await expectNoticeTexts(
    page,
    '{name} est le moins cher pour vous | Vous économisez {saved} par mois, abonnement compris.',
    { saved: formatAmountText(400) },
  )
  const monthly = (minor: number) => getText('{monthly} par mois', { monthly: formatPriceText(minor) })
  const reduced =
    '{allowance, plural, one {# transfert à {fee} de frais} other {# transferts à {fee} de frais}}'
  const free = '{allowance, plural, one {# transfert sans frais} other {# transferts sans frais}}'
  const beyond = getMoneyText(
    'Prix d’un mois, abonnement et frais compris. Au-delà : {DEFAULT_FEE_PERCENT} % de frais. Sans engagement.',
  )
  await expect(page.getByText(beyond, { exact: true })).toBeVisible()
  for (const [tier, ...texts] of [
    [null, formatAmountText(900), getMoneyText('{DEFAULT_FEE_PERCENT} % de frais par transfert')],
    [
      'basic',
      formatAmountText(700),
      `${monthly(200)}, ${getText(reduced, { allowance: 2, fee: formatPriceText(100) })}`,
    ],
    ['premium', formatAmountText(500), `${monthly(500)}, ${getText(free, { allowance: 5 })}`],
  ] as const) {
    const row = planRow(page, tier)
    const offer = page.locator('label').filter({ has: row })
    for (const text of texts) await expect(offer.getByText(text, { exact: true })).toBeVisible()
    await row.check()
    await expect(subscribeButton(page)).toBeVisible({ visible: tier !== null })
  }
})

test('a plan that ended with a declined renewal says that nothing was charged @english', async ({
  page,
  server,
}) => {
  const cancelAt = Date.UTC(2026, 1, 1)
  await arriveWithPlan(page, server, {
    status: 'canceled',
    cancelAt: new Date(cancelAt),
    renewalFailed: true,
  })
  await openPlans(page)
  await expectNoticeTexts(page, STOPPED, { date: formatDayText(cancelAt) })
})
