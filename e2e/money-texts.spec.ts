import type { Page } from '@playwright/test'
import { getNextMonthStart } from '../domain/common/month.ts'
import { invoice, receipt } from '../machines/testing/invoiceSituations.ts'
import { ledger, serverFacts } from '../machines/testing/transferSituations.ts'
import { PREMIUM_SUBSCRIPTION } from '../scenes/fixtures.ts'
import type { SetResponse } from '../scenes/frame/environment.ts'
import { SCENE_TIME, type ServiceResponse } from '../scenes/scene.ts'
import { expect, sceneTest as test } from './fixtures.ts'
import { invoiceWords, payInvoiceButton } from './steps/invoices.ts'
import {
  expectNotice,
  expectNoticeTexts,
  expectRefusals,
  formatAmountText,
  formatDayText,
  NO_NETWORK,
  refuse,
} from './steps/moneyTexts.ts'
import { openScene, setOffline, setResponse } from './steps/scenes.ts'
import { confirmByKey, confirmForm, payButton, typeCoupon } from './steps/transfer.ts'
import { getText } from './texts.ts'
import { words } from './words.ts'

// Each screen shows the reviewed texts about money, word for word. Other tests show when they appear.

const NOT_CHARGED = 'Votre carte n’a pas été débitée.'

const TRANSFER_REFUSALS: Readonly<Record<string, string>> = {
  userNotFound:
    'Utilisateur introuvable | Votre profil n’a pas été trouvé. Votre carte n’a pas été débitée. Déconnectez-vous, puis reconnectez-vous.',
  nameRequired:
    'Saisissez votre nom complet | Votre profil n’a pas de nom. Votre carte n’a pas été débitée. Ajoutez-le dans votre profil, puis payez.',
  unsupportedDestination:
    'Le transfert n’a pas pu être effectué | Votre carte n’a pas été débitée. Vérifiez votre saisie, puis réessayez.',
  unauthenticated:
    'Votre session a expiré | Votre carte n’a pas été débitée. Reconnectez-vous pour continuer.',
  emailUnverified:
    'Adresse e-mail à vérifier | Votre carte n’a pas été débitée. Ouvrez le lien reçu par e-mail, puis réessayez.',
  attemptEnded: 'Ce paiement a été annulé | Votre carte n’a pas été débitée. Confirmez à nouveau pour payer.',
  attemptConflict:
    'Ce paiement a été annulé | Votre carte n’a pas été débitée. Confirmez à nouveau pour payer.',
  paymentUnavailable:
    'Le paiement n’a pas pu être préparé | Votre carte n’a pas été débitée. Vérifiez votre connexion, puis réessayez.',
  tooManyRequests: 'Trop de tentatives | Votre carte n’a pas été débitée. Réessayez dans {wait}.',
  paymentsPaused:
    'Vos paiements sont suspendus pour l’instant | Votre carte n’a pas été débitée. Votre historique et vos reçus restent accessibles. Contactez notre assistance : nous regarderons cela avec vous.',
  tooManyDeclines:
    'Trop de cartes ont été refusées | Votre carte n’a pas été débitée. Pour protéger vos cartes, attendez {wait} avant de réessayer. Votre banque peut vous dire pourquoi elle refuse.',
  walletMissing:
    'Ce numéro n’a pas ce portefeuille | Votre carte n’a pas été débitée. Vérifiez le numéro, ou choisissez un autre portefeuille.',
  tooManyUndelivered:
    'Trop de transferts n’ont pas pu être remis | Trois transferts en un jour n’ont pas pu être remis : ils sont remboursés. Ils venaient de vous ou de votre carte, ou allaient vers ce numéro. Votre carte n’a pas été débitée. Vérifiez le numéro, puis réessayez à partir du {instant}.',
  tooManyCanceled:
    'Trop de transferts ont été annulés | Trop de transferts ont été annulés en un jour : ils sont remboursés. Ils venaient de vous ou de votre carte, ou allaient vers ce numéro. Votre carte n’a pas été débitée. Réessayez à partir du {instant}.',
  paymentsClosed:
    'Les paiements sont fermés pour le moment | Votre carte n’a pas été débitée. Les paiements déjà faits ne sont pas à refaire. Réessayez plus tard.',
  monthlyCapExceeded:
    'Plafond mensuel atteint | Vous pouvez envoyer {cap} par mois. Il vous reste {left} ; un nouveau mois commence le {date}. Votre carte n’a pas été débitée.',
  identityRequired:
    'Vérifiez votre identité pour envoyer ce montant | Au-delà de {limit} par mois, il faut une pièce d’identité vérifiée. | Votre carte n’a pas été débitée. | Envoyez-nous votre document : votre saisie reste ici.',
  capUnavailable:
    'Impossible de vérifier le plafond mensuel pour le moment. Veuillez réessayer plus tard. | Votre carte n’a pas été débitée.',
  newReason:
    'Le transfert n’a pas pu être effectué | Votre carte n’a pas été débitée. Vérifiez votre saisie, puis réessayez.',
}

const DECLINES: Readonly<Record<string, string>> = {
  insufficient_funds: 'Le solde de la carte est insuffisant.',
  expired_card: 'La carte est expirée.',
  incorrect_cvc: 'Le code de sécurité de la carte est incorrect.',
  processing_error: 'La banque n’a pas pu traiter la demande.',
  payment_intent_authentication_failure: 'L’authentification par votre banque n’a pas abouti.',
  generic_decline: 'La banque a refusé la carte.',
}

const INVOICE_NOT_PAID = 'Le paiement de la facture n’a pas pu être effectué'

const INVOICE_REFUSALS: Readonly<Record<string, string>> = {
  invoiceNotFound: `Les détails de la facture n’ont pas pu être obtenus | Ce fournisseur n’a pas de facture avec ce numéro. Comparez-le avec celui de la facture, chiffre par chiffre. | ${NOT_CHARGED}`,
  invoiceAlreadyPaid: `${INVOICE_NOT_PAID} | Cette facture vient d’être payée : il n’y a plus rien à payer. | ${NOT_CHARGED}`,
  invoiceSeemsPaid: `${INVOICE_NOT_PAID} | Cette facture semble déjà payée. Une facture avec ce numéro et une date limite proche a été payée ici. Si celle-ci en est une autre, écrivez à notre assistance avec ce numéro de référence. | ${NOT_CHARGED}`,
  invoiceUnderWay: `${INVOICE_NOT_PAID} | Un paiement de cette facture est déjà en cours, de vous sur un autre appareil, ou d’un proche. Consultez-la à nouveau dans une demi-heure. | ${NOT_CHARGED}`,
  tooManyHolds: `${INVOICE_NOT_PAID} | Vous avez commencé plusieurs fois à payer cette facture sans aller au bout. D’autres doivent pouvoir la payer aussi : réessayez dans {wait}. | ${NOT_CHARGED}`,
  invoiceChanged: `${INVOICE_NOT_PAID} | Le fournisseur a changé le montant ou la date limite de cette facture. Consultez-la à nouveau avant de payer. | ${NOT_CHARGED}`,
  minimumPayment: `Montant minimum de paiement non atteint | Ce montant est trop petit pour un paiement par carte. | ${NOT_CHARGED} | Payez cette facture directement au fournisseur.`,
  maximumPayment: `Montant maximum de paiement atteint | Vous pouvez payer ici une facture de 1 000 € au plus, ou l’équivalent dans sa devise. Payez celle-ci directement au fournisseur. | ${NOT_CHARGED}`,
  tooManyRequests: `${INVOICE_NOT_PAID} | Vous avez consulté beaucoup de factures en peu de temps. Réessayez dans {wait}. | ${NOT_CHARGED}`,
  paymentUnavailable: `${INVOICE_NOT_PAID} | Vérifiez votre connexion, puis réessayez. | ${NOT_CHARGED}`,
  newReason: `${INVOICE_NOT_PAID} | Vérifiez votre saisie, puis réessayez. | ${NOT_CHARGED}`,
}

const REFUNDED =
  'Votre carte a été débitée, et la totalité vous est remboursée, souvent en 5 à 10 jours. Si rien n’arrive en 14 jours, contactez notre assistance.'
const DISPUTED =
  'Rien n’a été envoyé. Votre banque retient la somme et décide si elle vous la rend. Si elle nous la laisse, nous vous la remboursons en totalité.'
const OFFLINE =
  'Vous êtes hors ligne | Rien n’est envoyé et votre carte n’est pas débitée. Votre saisie est gardée : payez dès le retour du réseau.'
const UNPAID =
  'Le paiement n’a pas été terminé | Votre carte n’a pas été débitée. Votre saisie est gardée : vous pouvez reprendre.'
const BANK_WAITS =
  'Votre banque attend votre confirmation | Rien n’est débité sans elle. Si votre banque vous a écrit, répondez-lui ; sinon, payez à nouveau ici : c’est le même paiement, débité une seule fois.'
const STILL_CHECKING =
  'Un paiement est encore en vérification | S’il aboutit, il apparaîtra dans l’activité récente. Ne payez pas à nouveau avant de connaître son résultat.'
const OVERDUE =
  'La date limite est passée | Vous pouvez encore payer ici. Le fournisseur peut demander des frais de retard à part.'
const PAID = 'Cette facture est déjà payée | Il n’y a plus rien à payer, et rien ne sera débité.'
const UNDER_WAY =
  'Un paiement de cette facture est en cours | Il vient peut-être de vous, sur un autre appareil, ou d’un proche. Pour ne pas payer deux fois, consultez la facture à nouveau dans une demi-heure.'
const SEEMS_PAID =
  'Cette facture semble déjà payée | Une facture avec ce numéro et une date limite proche a été payée ici. Il s’agit sans doute de la même. Rien ne sera débité. Si celle-ci en est une autre, écrivez à notre assistance avec ce numéro de référence.'

const RESERVE = 'functions.create-payment-intent'
const RECORD = 'functions.record-transfer'
const CONFIRM = 'cardPayments.confirmCard'

test('the form explains each refusal’s meaning for money @spec-transfer-texts @english', async ({ page }) => {
  await openScene(page, 'home-filled')
  await expectRefusals(
    page,
    RESERVE,
    TRANSFER_REFUSALS,
    async () => {
      await page.getByLabel(words.amount).fill('')
      await page.getByLabel(words.amount).fill('100')
      await confirmByKey(page)
    },
    (notice) => expect(notice).toBeInViewport(),
  )
  // The button lost the focus while it was disabled, and gets it back.
  await expect(page.getByRole('main').getByRole('button', { name: words.pay })).toBeFocused()
  const says = async (response: SetResponse<ServiceResponse<typeof RESERVE>>, ...texts: [string, string]) => {
    await setResponse(page, RESERVE, response)
    await confirmForm(page)
    await expectNotice(page, ...texts)
  }
  // A response that has only the fields of the specification.
  await says(
    refuse('', {}, { error: 'MONTHLY_CAP_EXCEEDED', message: 'Plafond de la maison atteint.' }),
    words.capReached,
    `Plafond de la maison atteint. ${getText(NOT_CHARGED)}`,
  )
  await says(
    refuse('', {}, { error: 'Unsupported destination country' }),
    'Unsupported destination country',
    getText('Votre carte n’a pas été débitée. Vérifiez votre saisie, puis réessayez.'),
  )
  await setOffline(page, true)
  await confirmForm(page)
  await expectNoticeTexts(page, OFFLINE)
  await setOffline(page, false)

  const changed = { fee: 300, net: 9700, converted: 1_028_200, feeRule: 'default', ...serverFacts }
  await setResponse(page, RESERVE, refuse('quoteChanged', changed))
  await confirmForm(page)
  await expectNoticeTexts(
    page,
    'Le prix de ce transfert a changé | Votre carte n’a pas été débitée. Rechargez l’application, vérifiez le nouveau devis, puis confirmez-le.',
  )
  await setResponse(
    page,
    RESERVE,
    refuse('quoteChanged', { ...changed, subscription: { ...PREMIUM_SUBSCRIPTION, tier: 'basic' } }),
  )
  await confirmForm(page)
  await expectNoticeTexts(
    page,
    'Le prix de ce transfert a changé | Frais : {fee} au lieu de {feeBefore}. À recevoir : {arrives} au lieu de {arrivedBefore}. Rien n’a été débité : confirmez pour payer à ce prix.',
    {
      ...{ fee: formatAmountText(100), feeBefore: formatAmountText(300) },
      ...{ arrives: formatAmountText(1_049_400, 'GNF'), arrivedBefore: formatAmountText(1_028_200, 'GNF') },
    },
  )

  await typeCoupon(page, 'Zéro')
  await setResponse(page, RESERVE, refuse('couponEnded'))
  await confirmForm(page)
  const coupon = page.getByLabel(words.coupon)
  await expect(coupon).toHaveAccessibleDescription(
    getText(
      'Ce code promo n’est plus valable, et rien n’a été débité. Effacez-le pour payer au prix affiché.',
    ),
  )
  await expect(coupon).toBeFocused()
  await expect(coupon).toHaveValue('Zéro')
})

test('the card sheet says that nothing was charged yet @spec-card-texts @english', async ({ page }) => {
  await openScene(page, 'payment-form-failed')
  const promise = 'Votre carte n’est débitée qu’une fois. Son numéro va droit à notre prestataire.'
  await expect(page.getByRole('dialog').getByText(getText(promise), { exact: true })).toBeVisible()
  await expectNoticeTexts(
    page,
    'Le formulaire de carte n’a pas pu s’ouvrir | Votre carte n’a pas été débitée. Vérifiez votre connexion, puis réessayez.',
    {},
    words.retry,
  )
  await openScene(page, 'payment', { responses: { [CONFIRM]: { value: { kind: 'cardInvalid' } } } })
  await payButton(page).click()
  await expectNoticeTexts(page, `Vérifiez les champs de la carte | ${NOT_CHARGED}`)
  await setOffline(page, true)
  await payButton(page).click()
  await expectNoticeTexts(page, OFFLINE)
})

async function pay(page: Page, scene: 'payment' | 'invoice-payment', responses: Record<string, SetResponse>) {
  await openScene(page, scene, { responses })
  await payButton(page).click()
}

test('a declined card’s reason is shown, without a charge @spec-decline-texts @english', async ({ page }) => {
  for (const [reason, said] of Object.entries(DECLINES)) {
    const declined = { kind: 'declined', reason, message: 'Of the provider' }
    await pay(page, 'payment', { [CONFIRM]: { value: declined } })
    const advice = 'Votre carte n’a pas été débitée. Réessayez, ou prenez une autre carte.'
    await expectNoticeTexts(page, `Le paiement a échoué | ${said} | ${advice}`)
  }
})

test('the form shows the outcome after a lost confirmation @spec-doubt-texts @english', async ({ page }) => {
  for (const [value, said] of [
    [{ outcome: 'unpaid', status: 'requires_payment_method' }, UNPAID],
    [{ outcome: 'unclear', status: 'requires_action' }, BANK_WAITS],
    [{ outcome: 'disputed' }, `Ce paiement est contesté auprès de votre banque | ${DISPUTED}`],
    [{ outcome: 'refunded' }, `Le transfert n’a pas pu être enregistré | ${REFUNDED}`],
  ] as const) {
    await pay(page, 'payment', { [CONFIRM]: NO_NETWORK, [RECORD]: { value } })
    await expectNoticeTexts(page, said)
  }
  await pay(page, 'invoice-payment', { [CONFIRM]: NO_NETWORK, [RECORD]: { value: { outcome: 'refunded' } } })
  await expectNoticeTexts(page, `${INVOICE_NOT_PAID} | ${REFUNDED}`)

  await openScene(page, 'payment-checking')
  const sheet = page.getByRole('dialog', { name: words.checking })
  const advice =
    'La réponse de la banque n’est pas encore arrivée. Ne payez pas une seconde fois : nous vérifions encore, et votre carte ne sera débitée qu’une fois.'
  await expect(sheet.getByRole('alert')).toHaveText(getText(advice))
  await sheet.getByRole('button', { name: words.leaveChecking }).click()
  await expectNoticeTexts(page, STILL_CHECKING)
})

test('the invoices explain each refusal’s meaning for money @spec-invoice-texts @english', async ({
  page,
}) => {
  await openScene(page, 'invoice-not-found')
  const found = { ...invoice, reference: '6012-NOBODY' }
  await setResponse(page, 'invoices.lookUpInvoice', { value: found })
  const see = page.getByRole('button', { name: invoiceWords.see })
  await see.click()
  const noFee =
    'Sans frais : votre carte est débitée du montant de la facture, dans sa devise. Votre banque convertit s’il le faut. Votre plafond d’envoi n’est pas entamé.'
  await expect(page.getByText(getText(noFee), { exact: true })).toBeVisible()
  await expectRefusals(page, 'functions.pay-invoice', INVOICE_REFUSALS, async () => {
    await see.click()
    await payInvoiceButton(page).click()
  })
  for (const [change, said] of [
    [{ dueDate: '2026-11-17' }, OVERDUE],
    [{ status: 'paid' }, PAID],
    [{ status: 'processing' }, UNDER_WAY],
    [{ status: 'seemsPaid' }, SEEMS_PAID],
  ] as const) {
    await setResponse(page, 'invoices.lookUpInvoice', { value: { ...found, ...change } })
    await see.click()
    await expectNoticeTexts(page, said)
  }
})

test('the home screen reports the payment of a session that ended @english', async ({ page }) => {
  for (const [value, said] of [
    [
      { outcome: 'unpaid', status: 'requires_payment_method' },
      'Le paiement commencé plus tôt n’a pas été terminé. Votre carte n’a pas été débitée.',
    ],
    [
      { outcome: 'paid', invoicePayment: receipt },
      'Votre facture est payée. Son reçu est dans vos factures.',
    ],
    [{ outcome: 'disputed' }, DISPUTED],
    [{ outcome: 'refunded' }, REFUNDED],
    [
      { outcome: 'unclear', status: 'processing' },
      'Un paiement est encore en vérification. S’il aboutit, il apparaîtra dans l’activité récente ou parmi vos factures payées. Ne payez pas à nouveau avant de connaître son résultat.',
    ],
  ] as const) {
    await openScene(page, 'home-empty', {
      // The toast stays.
      delays: { 4000: 600_000 },
      device: { ended: { uid: 'u1', payment: 'unpaid', attemptId: 'a1' } },
      responses: {
        [RECORD]: { value },
        'functions.cancel-payment-intent': { value: { outcome: 'released' } },
      },
    })
    const notice = await expectNotice(page, getText(said))
    if (value.outcome === 'paid') continue
    await page.getByRole('button', { name: getText('C’est noté') }).click()
    await expect(notice).toBeHidden()
  }
})

test('the notice above the cap’s rest shows that rest @english', async ({ page }) => {
  for (const [recordedCents, said] of [
    [95_000, 'Vous pouvez encore envoyer {left}. Un nouveau mois commence le {date}.'],
    [100_000, 'Votre plafond du mois est atteint. Un nouveau mois commence le {date}.'],
  ] as const) {
    const rows = { ledgers: [{ ...ledger, recordedCents, asOf: SCENE_TIME }] }
    await openScene(page, 'home-empty', { rows })
    await page.getByLabel(words.amount).fill('60')
    const date = formatDayText(getNextMonthStart(SCENE_TIME))
    await expectNoticeTexts(page, `C’est plus que ce qu’il vous reste ce mois-ci | ${said}`, { date })
  }
})
