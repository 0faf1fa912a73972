import { DAY, MINUTE } from '../domain/common/duration.ts'
import type { DeliverySummary } from '../domain/transfers/deliverySchema.ts'
import { HANDED_OVER_DELIVERY } from '../domain/transfers/transaction.samples.ts'
import type { Transaction } from '../domain/transfers/transaction.ts'
import { SCENE_TIME } from '../scenes/scene.ts'
import { buildPaidTransfer, DELIVERIES } from '../scenes/transactions.ts'
import { BROKEN_CALL_ERRORS, expect, sceneTest, test, WITH_PAYOUTS } from './fixtures.ts'
import {
  completeMtnTransfer,
  expectDeliveryStage,
  MTN_ONGOING_NUMBER,
  readTransfer,
} from './steps/deliveries.ts'
import { answerHistory, historyRows, historyWords, openHistory } from './steps/history.ts'
import { pressWhenRead } from './steps/pages.ts'
import { waitUntilDrawn } from './steps/rendering.ts'
import { openScene, setResponse } from './steps/scenes.ts'
import { registerAndOpenHome } from './steps/signIn.ts'
import { activityRows, closeReceipt, receiptSheet, sendMoney } from './steps/transfer.ts'
import { buildTextPattern, defineTexts, getText } from './texts.ts'
import { words } from './words.ts'

test.use({
  settings: WITH_PAYOUTS,
  expectedErrors: [BROKEN_CALL_ERRORS],
})

/** MTN's test number without a wallet. */
const NO_WALLET = '+224 660 00 04 57'

const TIME = '\\d\\d:\\d\\d'
const said = defineTexts({
  handedOver: () => getText('Remis à {provider}', { provider: 'MTN' }),
  paidBackInRow: 'Remboursé',
  byHand: 'En cours de remise',
  delivered: 'Remis au bénéficiaire',
  reference: () => (proof: string) => getText('Référence du portefeuille : {proof}', { proof }),
  expected: 'Arrivée prévue',
  arrivedInRow: 'Arrivé',
  late: 'Arrivée plus tard que prévu',
  lateInRow: 'Plus tard que prévu',
  onItsWay: 'En route',
  arrived: 'Arrivés',
  answer: () =>
    buildTextPattern(
      'Votre paiement est bien enregistré, et nous vérifions ce transfert avant de le remettre. Vous aurez une réponse au plus tard le {text}. Vous n’avez rien à faire : ne payez pas une seconde fois.',
    ),
  noAnswer:
    'Votre paiement est bien enregistré, et nous vérifions toujours ce transfert. Notre réponse prend plus de temps que promis : écrivez à notre assistance avec le numéro du transfert. Ne payez pas une seconde fois.',
  locked: 'Passerelle est verrouillée',
  arrivedAt: () => buildTextPattern('Arrivé à {text}', TIME),
})

const NEWS = { ...HANDED_OVER_DELIVERY, stage: 'ordered', handedOverAt: null } as const

const WALLETLESS = 'Aucun portefeuille n’a ce numéro. Vérifiez-le avec le bénéficiaire avant un nouvel envoi.'
const TROUBLES = {
  late: [
    { isLate: true },
    'Arrivée plus tard que prévu',
    'Votre paiement est bien enregistré, et la remise prend plus de temps. Vous n’avez rien à faire : ne payez pas une seconde fois. Si elle échoue, tout est remboursé sur votre carte, frais compris.',
  ],
  checked: [
    { isLate: true, isChecked: true },
    'En cours de vérification',
    'Arrivée plus tard que prévu',
    'Votre paiement est bien enregistré, et nous vérifions ce transfert avant de le remettre. Vous n’avez rien à faire : ne payez pas une seconde fois. S’il n’est pas remis, tout est remboursé sur votre carte, frais compris.',
  ],
  failed: [
    { stage: 'failed', failure: 'recipientUnknown' },
    'N’a pas pu être remis',
    WALLETLESS,
    'Le bénéficiaire n’a rien reçu. Tout est remboursé sur votre carte, frais compris, souvent en 5 à 10 jours. Si rien n’arrive en 14 jours, contactez notre assistance.',
  ],
  calledOff: [
    { stage: 'failed' },
    'N’a pas pu être remis',
    'Le paiement a été remboursé ou contesté avant la remise : le transfert a été arrêté.',
    'Le bénéficiaire n’a rien reçu. Ce qui ne vous est pas encore rendu le sera, par nous ou par votre banque.',
  ],
  paidBack: [
    { stage: 'paidBack', failure: 'recipientUnknown' },
    'N’a pas pu être remis',
    WALLETLESS,
    'Le bénéficiaire n’a rien reçu. Tout ce que vous aviez payé vous est rendu, frais compris.',
  ],
  canceled: [
    { stage: 'canceled', canceledAt: SCENE_TIME },
    'Vous avez annulé ce transfert.',
    'À rembourser',
    'Le bénéficiaire n’a rien reçu. Tout est remboursé sur votre carte, frais compris, souvent en 5 à 10 jours. Si rien n’arrive en 14 jours, contactez notre assistance.',
  ],
} as const satisfies Readonly<Record<string, readonly [Partial<DeliverySummary>, ...texts: string[]]>>

test('receipt and history show a delivery, also without a network', async ({ page, context, server }) => {
  const person = await registerAndOpenHome(page, server)
  await sendMoney(page, { amount: '100', phone: MTN_ONGOING_NUMBER })
  const receipt = receiptSheet(page)
  await expect(receipt.getByText(said.handedOver)).toBeVisible()
  await expect(receipt.getByRole('listitem').filter({ hasText: said.expected })).toBeVisible()
  await expect(receipt.getByText(said.delivered)).toBeHidden()

  await completeMtnTransfer(server, person)
  const { delivery } = await readTransfer(server, person)
  await expect(receipt.getByText(said.delivered)).toBeVisible()
  await expect(receipt.getByText(said.reference(delivery.proof ?? ''))).toBeVisible()
  await expect(receipt.getByRole('listitem').filter({ hasText: said.expected })).toBeHidden()
  await expect(receipt.locator('[data-item="walletReference"] dd')).toHaveText(delivery.proof ?? '')
  await expect(receipt.locator('[data-item="deliveredAt"] dd')).toContainText(/\d\d:\d\d/)
  await closeReceipt(page)
  await expect(activityRows(page).first()).toContainText(said.arrivedInRow)
  // The home screen does not announce an arrival that the receipt has shown.
  await expect(page.getByRole('status').getByText(said.arrivedAt)).toBeHidden()

  await openHistory(page)
  const filter = (name: string) => page.getByRole('button', { name, exact: true, pressed: false }).click()
  await filter(said.onItsWay)
  await expect(page.getByText(historyWords.found(0))).toBeVisible()
  await filter(said.arrived)
  await expect(historyRows(page)).toHaveCount(1)
  await context.setOffline(true)
  await historyRows(page).first().getByRole('button').click()
  await expect(receipt.getByText(said.delivered)).toBeVisible()
  await expect(receipt.locator('[data-item="walletReference"] dd')).toHaveText(delivery.proof ?? '')
})

sceneTest('a delivery update does not move the buttons of an open receipt', async ({ page }) => {
  const FETCH = 'transactions.fetchTransaction'
  await openScene(page, 'receipt-handed-over', { responses: { [FETCH]: 'held' } })
  const receipt = receiptSheet(page)
  const download = receipt.getByRole('button', { name: words.download })
  await download.scrollIntoViewIfNeeded()
  const top = async () => (await download.boundingBox())?.y ?? Number.NaN
  const first = await top()
  const { id } = DELIVERIES.handedOver
  await setResponse(page, FETCH, { value: { ...DELIVERIES.delivered, id } })
  await expect(receipt.locator('[data-item="walletReference"]')).toHaveCount(1)
  await expect(receipt.getByText(said.delivered)).toHaveCount(1)
  await waitUntilDrawn(page)
  expect(Math.abs((await top()) - first)).toBeLessThan(1)
})

test('a transfer to a number without wallet fails and is refunded', async ({ page, server }) => {
  const person = await registerAndOpenHome(page, server)
  await sendMoney(page, { amount: '100', phone: NO_WALLET })
  await expectDeliveryStage(server, person, 'paidBack')
  const receipt = receiptSheet(page)
  const [, ...texts] = TROUBLES.paidBack
  for (const id of texts) await expect(receipt.getByText(getText(id))).toBeVisible()
  await expect(receipt.locator('[data-color="red"]')).toBeVisible()
  await closeReceipt(page)
  await expect(activityRows(page).first()).toContainText(said.paidBackInRow)
  const { id, status } = await readTransfer(server, person)
  expect(status).toBe('failed')
  const { data: refunds } = await server.stripe.refunds.list({ payment_intent: id })
  expect(refunds).toMatchObject([{ amount: 10_000, status: 'succeeded' }])
})

sceneTest('the home screen announces the arrival of a transfer only once', async ({ page }) => {
  const response = answerHistory(Object.values(DELIVERIES))
  await openScene(page, 'home-arrived', { responses: { 'transactions.fetchHistory': response } })
  const notice = page.getByRole('status').getByText(said.arrivedAt)
  await expect(notice).toBeVisible()
  await expect(page.getByRole('status').locator('p [translate=no]')).toHaveText([/^€?150[,.]00/, /^\+224/])
  await pressWhenRead(page.getByRole('button', { name: words.noted }))
  await expect(notice).toBeHidden()
  await page.evaluate(() => dispatchEvent(new Event('online')))
  await waitUntilDrawn(page)
  await expect(notice).toBeHidden()
})

test('an arrival opened under the lock is announced after unlocking', async ({ page, server }) => {
  const person = await registerAndOpenHome(page, server)
  await sendMoney(page, { amount: '100', phone: MTN_ONGOING_NUMBER })
  await expect(receiptSheet(page).getByText(said.handedOver)).toBeVisible()
  const { id } = await readTransfer(server, person)
  await page.evaluate(() => localStorage.setItem('passerelle.lock', '{"uid":"awa","passkey":"key"}'))
  await page.goto('about:blank')
  await completeMtnTransfer(server, person)
  await page.goto(`/?transaction=${id}`)
  await expect(page.getByRole('dialog', { name: said.locked })).toBeVisible()
  await expect(page.locator('[data-item="walletReference"]')).toHaveCount(1)
  await page.evaluate(() => localStorage.removeItem('passerelle.lock'))
  await page.goto('/')
  await expect(page.getByRole('status').getByText(said.arrivedAt)).toBeVisible()
})

const sent = (hours: number, delivery: Partial<DeliverySummary>, change: Partial<Transaction> = {}) =>
  buildPaidTransfer(hours, {
    id: `pi_${hours}`,
    delivery: { ...NEWS, stage: 'ordered', ...delivery },
    ...change,
  })

sceneTest('a receipt explains each problem of a delivery in the reviewed words', async ({ page }) => {
  const transactions = Object.values(TROUBLES).map(([delivery], index) => {
    const { stage = 'ordered' } = delivery as Partial<DeliverySummary>
    const ended = stage === 'canceled' ? stage : 'failed'
    return sent(index + 1, delivery, { status: stage === 'ordered' ? 'completed' : ended })
  })
  await openScene(page, 'home-activity', { rows: { transactions } })
  const receipt = receiptSheet(page)
  for (const [index, [, ...ids]] of Object.values(TROUBLES).entries()) {
    await activityRows(page).nth(index).click()
    for (const id of ids) await expect(receipt.getByText(getText(id), { exact: true })).toBeVisible()
    await closeReceipt(page)
  }
})

sceneTest('a receipt gives answers’ time, delivery by hand, and lateness', async ({ page }) => {
  const checked = { isLate: true, isChecked: true }
  const soon = { promisedMinutes: 60, estimatedArrival: SCENE_TIME + 4 * MINUTE }
  const transactions = [
    sent(1, { ...checked, answerBy: SCENE_TIME + 3 * DAY }),
    sent(2, { ...checked, answerBy: SCENE_TIME - MINUTE }),
    sent(3, { by: 'byHand' }, soon),
    sent(4, { stage: 'handedOver' }, soon),
    // This transfer has an estimate, but no promise.
    sent(5, {}, { ...soon, promisedMinutes: null }),
    sent(6, { by: 'byHand' }, { receivingMethod: 'orange_money', estimatedArrival: SCENE_TIME + DAY }),
  ]
  await openScene(page, 'home-activity', { isOffline: true, rows: { transactions } })
  const receipt = receiptSheet(page)
  const open = async (index: number, isLate: boolean) => {
    const row = activityRows(page).nth(index)
    if (isLate) await expect(row).toContainText(said.lateInRow)
    await row.click()
  }
  for (const [index, text] of [said.answer, said.noAnswer].entries()) {
    await open(index, true)
    await expect(receipt.getByText(text)).toBeVisible()
    await closeReceipt(page)
  }
  for (const index of [2, 3]) {
    await open(index, true)
    await expect(receipt.getByText(said.late)).toBeVisible()
    await expect(receipt.locator('[data-item="late"] dd')).toHaveText(said.lateInRow)
    await expect(receipt.locator('[data-item="expectedBy"]')).toHaveCount(0)
    await closeReceipt(page)
  }
  await open(4, false)
  await expect(receipt.getByRole('listitem').filter({ hasText: said.expected })).toBeVisible()
  await expect(receipt.locator('[data-item="expectedBy"]')).toHaveCount(1)
  await closeReceipt(page)
  await open(5, false)
  await expect(receipt.getByText(said.byHand)).toBeVisible()
  await expect(receipt.getByText('MTN')).toBeHidden()
})

sceneTest('open receipts show their times in the present time zone @spec-time-zone', async ({ browser }) => {
  // The zone of a page that has one from Playwright can't change.
  const page = await browser.newPage({ timezoneId: '' })
  const devTools = await page.context().newCDPSession(page)
  const travelTo = (timezoneId: string) => devTools.send('Emulation.setTimezoneOverride', { timezoneId })
  for (const scene of ['receipt', 'invoice-receipt', 'invoice-receipt-new']) {
    await travelTo('Europe/Paris')
    await openScene(page, scene)
    const receipt = page.getByRole('dialog')
    await expect(receipt).toContainText(/UTC\+[12]/)
    await travelTo('America/Toronto')
    await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
    await expect(receipt).toContainText(/UTC[−-][45]/)
    await expect(receipt).not.toContainText(/UTC\+/)
  }
  await page.context().close()
})
