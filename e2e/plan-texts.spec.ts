import type { Page } from '@playwright/test'
import { DAY } from '../domain/common/duration.ts'
import { buildPlanProfile, buildPlanRows, PREMIUM_SUBSCRIPTION } from '../scenes/fixtures.ts'
import { SCENE_TIME } from '../scenes/scene.ts'
import { expect, sceneTest as test } from './fixtures.ts'
import {
  expectNoticeTexts,
  expectRefusals,
  formatAmountText,
  formatDayText,
  formatPriceText,
  getMoneyText,
  MOCK_DATE,
  NO_NETWORK,
  refuse,
} from './steps/moneyTexts.ts'
import { pressKey } from './steps/pages.ts'
import { planRow, planWords, subscribeButton } from './steps/plans.ts'
import { openScene, setOffline, setResponse } from './steps/scenes.ts'
import { getText } from './texts.ts'
import { words } from './words.ts'

// The plans show the reviewed texts about money, word for word. Other tests show when they appear.

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

const STATUS = 'subscriptions.fetchCheckoutStatus'
const CANCEL = 'subscriptions.cancelSubscription'
const PROFILE = 'profiles.fetchProfile'

async function cancelPlan(page: Page) {
  await page.getByRole('button', { name: planWords.cancel }).click()
  await page.getByRole('dialog').getByRole('button', { name: planWords.confirm }).click()
}

test('the plans explain every refusal and its meaning for money @spec-plan-texts @spec-plan-return @english', async ({
  page,
}) => {
  const CHECKOUT = 'subscriptions.createPlanCheckout'
  await openScene(page, 'plans')
  const subscribe = subscribeButton(page)
  await expectRefusals(
    page,
    CHECKOUT,
    REFUSALS,
    () => pressKey(subscribe),
    () => expect(subscribe).toBeFocused(),
  )
  await setResponse(page, CHECKOUT, { value: null })
  await subscribe.click()
  await expectNoticeTexts(page, NO_CHECKOUT)
  await setOffline(page, true)
  await subscribe.click()
  await expectNoticeTexts(page, OFFLINE)

  await openScene(page, 'plan-checking')
  await setResponse(page, STATUS, refuse('checkoutNotFound'))
  await expectNoticeTexts(page, VERIFY_FAILED)
  expect(await page.evaluate(() => String(Reflect.get(window, 'sceneAddress')))).toMatch(/example\/$/)
})

test('the plan says what is charged while a step is open @spec-plan-end-texts @english', async ({ page }) => {
  const rows = buildPlanRows({ ...PREMIUM_SUBSCRIPTION, renewalFailed: true })
  await openScene(page, 'plan-checking', { rows })
  await expectNoticeTexts(page, VERIFYING)
  await setResponse(page, STATUS, refuse('unavailable'))
  await expectNoticeTexts(page, VERIFY_UNCLEAR)
  await expect(page.getByRole('button', { name: words.leaveChecking })).toBeVisible()
  await page.getByRole('button', { name: planWords.checkAgain }).click()
  await setResponse(page, STATUS, {
    value: { success: false, status: 'declined', tier: 'premium', subscriptionId: 'sub_1' },
  })
  await expectNoticeTexts(page, CARD_DECLINED)
  await expectNoticeTexts(page, RENEWAL_FAILED)

  await setResponse(page, 'subscriptions.createCardChangeCheckout', refuse('unavailable'))
  const anotherCard = page.getByRole('button', { name: planWords.anotherCard })
  await pressKey(anotherCard)
  await expectNoticeTexts(page, CARD_PAGE_FAILED)
  await expect(anotherCard).toBeFocused()
  for (const [code, said] of [
    ['unavailable', UPDATE_FAILED],
    ['planNotFound', NOT_FOUND],
  ] as const) {
    await setResponse(page, CANCEL, refuse(code))
    await cancelPlan(page)
    await expectNoticeTexts(page, said)
  }
})

test('the renewal’s notices say what is charged, and until when @english', async ({ page }) => {
  const keptUntil = { date: formatDayText(SCENE_TIME + 3 * DAY) }
  await openScene(page, 'home-renewal-unconfirmed')
  await expectNoticeTexts(page, UNCONFIRMED, keptUntil)
  await openScene(page, 'plan-card-unconfirmed')
  await expectNoticeTexts(page, CARD_UNCONFIRMED)
  await expectNoticeTexts(page, UNCONFIRMED, keptUntil)
  const confirmation = { url: 'https://invoice.example/in_1', keptUntil: null }
  const rows = buildPlanRows({ ...PREMIUM_SUBSCRIPTION, renewalFailed: true, confirmation })
  await openScene(page, 'home-renewal-unconfirmed', { rows })
  await expectNoticeTexts(page, UNCONFIRMED_AT_LAST)
  await openScene(page, 'plan-stopped')
  await expectNoticeTexts(page, STOPPED, { date: formatDayText(SCENE_TIME - 2 * DAY) })
})

test('a cancellation without a response is unclear until known @english', async ({ page }) => {
  await openScene(page, 'plan-active')
  for (const call of [CANCEL, PROFILE] as const) await setResponse(page, call, NO_NETWORK)
  await cancelPlan(page)
  await expectNoticeTexts(page, UPDATE_UNCLEAR)
  const canceledPlan = { ...PREMIUM_SUBSCRIPTION, status: 'canceled', cancelAt: MOCK_DATE } as const
  await setResponse(page, PROFILE, { value: buildPlanProfile(canceledPlan) })
  await setOffline(page, true)
  await setOffline(page, false)
  const canceled = getMoneyText('Résilié : vous le gardez jusqu’au {until}, puis rien ne sera plus débité.')
  await expect(page.getByText(canceled, { exact: true })).toBeVisible()
  await expect(page.getByText(getText('Nous ne savons pas encore où en est votre forfait'))).toBeHidden()
})

test('wallet and plans show a plan’s price and features @spec-plan-features @english', async ({ page }) => {
  await openScene(page, 'wallet')
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
