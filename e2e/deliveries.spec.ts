import type { Page } from '@playwright/test'
import { BROKEN_CALLS, expect, test } from './fixtures.ts'
import { expectStage, letArrive, ONGOING, transferBy } from './steps/deliveries.ts'
import { untilDrawn } from './steps/drawn.ts'
import { historyWords, openHistory, rowsOf, transferOf } from './steps/history.ts'
import { somebody } from './steps/people.ts'
import { activityRows, confirmForm, fillTransfer, pay, receiptSheet } from './steps/transfer.ts'
import { arriveHome, enter } from './steps/waysIn.ts'
import { pattern, say, texts } from './texts.ts'
import { words } from './words.ts'

// What people see of the way of their money, where somebody pays it out.
test.use({
  settings: { DELIVERY_PROVIDERS: 'mtn,byHand' },
  // Chromium itself and the database's SDK write a line for each call that finds no network.
  expectedErrors: [BROKEN_CALLS],
})

/** MTN's test number that no wallet has. */
const NO_WALLET = '+224 660 00 04 57'

const TIME = '\\d\\d:\\d\\d'
const said = texts({
  handedOver: () => say('Remis à {name}', { name: 'MTN Mobile Money' }),
  handedOverInRow: 'Remis à MTN',
  paidBackInRow: 'Remboursé',
  byHand: 'En cours de remise au bénéficiaire',
  delivered: 'Remis au bénéficiaire',
  reference: () => (proof: string) => say('Référence du portefeuille : {proof}', { proof }),
  expected: 'Arrivée prévue au plus tard',
  arrival: 'Arrivée',
  late: 'Arrivée plus tard que prévu',
  lateInRow: 'Plus tard que prévu',
  onItsWay: 'En route',
  arrived: 'Arrivés',
  arrivedAt: () => pattern('Arrivé à {text}', TIME),
})

const WALLETLESS = 'Aucun portefeuille n’a ce numéro. Vérifiez-le avec le bénéficiaire avant un nouvel envoi.'
/** The ids of what a receipt says of a transfer that does not arrive as it should. */
const TROUBLES = {
  late: [
    'Arrivée plus tard que prévu',
    'Votre paiement est bien enregistré, et la remise prend plus de temps. Vous n’avez rien à faire : ne payez pas une seconde fois. Si elle échoue, tout est remboursé sur votre carte, frais compris.',
  ],
  failed: [
    'N’a pas pu être remis',
    WALLETLESS,
    'Le bénéficiaire n’a rien reçu. Tout est remboursé sur votre carte, frais compris. Le délai dépend de votre banque, souvent 5 à 10 jours.',
  ],
  calledOff: [
    'N’a pas pu être remis',
    'Le paiement a été remboursé ou contesté avant la remise : le transfert a été arrêté.',
    'Le bénéficiaire n’a rien reçu. Ce qui ne vous est pas encore rendu le sera, par nous ou par votre banque.',
  ],
  paidBack: [
    'N’a pas pu être remis',
    WALLETLESS,
    'Le bénéficiaire n’a rien reçu. Tout ce que vous aviez payé vous est rendu, frais compris.',
  ],
}

async function payTo(page: Page, phone: string, wallet: string | null = null) {
  await fillTransfer(page, { amount: '100', phone })
  if (wallet) {
    await page.getByRole('radio', { name: wallet }).check()
    await page.getByLabel(words.confirmPhone).check()
  }
  await confirmForm(page)
  await pay(page)
}

test('money is handed over and arrives, as the receipt, the history and a device without a network say', async ({
  page,
  context,
  server,
}) => {
  const person = await arriveHome(page, server)
  await payTo(page, ONGOING)
  const receipt = receiptSheet(page)
  await expect(receipt.getByText(said.handedOver)).toBeVisible()
  await expect(receipt.getByText(said.expected)).toBeVisible()
  await expect(receipt.getByText(said.delivered)).toBeHidden()

  // While the receipt is open it asks by itself.
  await letArrive(server, person)
  const { delivery } = await transferBy(server, person)
  await expect(receipt.getByText(said.delivered)).toBeVisible()
  await expect(receipt.getByText(said.reference(delivery.proof ?? ''))).toBeVisible()
  await expect(receipt.getByText(said.expected)).toBeHidden()
  await expect(receipt.locator('[data-item="walletReference"] dd')).toHaveText(delivery.proof ?? '')
  await expect(receipt.locator('[data-item="deliveredAt"] dd')).toContainText(/\d\d:\d\d/)
  await receipt.getByRole('button', { name: words.done }).click()
  await expect(activityRows(page).first()).toContainText(said.arrivedAt)
  // The receipt has told it.
  await expect(page.getByRole('status').getByText(said.arrivedAt)).toBeHidden()

  await openHistory(page)
  const filter = page.getByRole('combobox', { name: said.arrival })
  await filter.selectOption(said.onItsWay)
  await expect(page.getByText(historyWords.found(0))).toBeVisible()
  await filter.selectOption(said.arrived)
  await expect(rowsOf(page)).toHaveCount(1)
  await context.setOffline(true)
  await rowsOf(page).first().getByRole('button').click()
  await expect(receipt.getByText(said.delivered)).toBeVisible()
  await expect(receipt.locator('[data-item="walletReference"] dd')).toHaveText(delivery.proof ?? '')
})

test('what is told of the delivery moves no button of the receipt', async ({ page, server }) => {
  const person = await arriveHome(page, server)
  await payTo(page, ONGOING)
  const receipt = receiptSheet(page)
  await expect(receipt.getByText(said.handedOver)).toBeVisible()
  const download = receipt.getByRole('button', { name: words.download })
  await download.scrollIntoViewIfNeeded()
  const top = async () => Math.round((await download.boundingBox())?.y ?? 0)
  const first = await top()
  await letArrive(server, person)
  await expect(receipt.locator('[data-item="walletReference"]')).toHaveCount(1)
  await expect(receipt.getByText(said.delivered)).toHaveCount(1)
  await untilDrawn(page)
  expect(await top()).toBe(first)
})

test('a number without a wallet is told, and the card gets everything back', async ({ page, server }) => {
  const person = await arriveHome(page, server)
  await payTo(page, NO_WALLET)
  await expectStage(server, person, 'paidBack')
  const receipt = receiptSheet(page)
  for (const id of TROUBLES.paidBack) await expect(receipt.getByText(say(id))).toBeVisible()
  await expect(receipt.locator('[data-colour="red"]')).toBeVisible()
  await receipt.getByRole('button', { name: words.done }).click()
  await expect(activityRows(page).first()).toContainText(said.paidBackInRow)
  const { id, status } = await transferBy(server, person)
  expect(status).toBe('failed')
  const { data: refunds } = await server.stripe.refunds.list({ payment_intent: id })
  expect(refunds).toMatchObject([{ amount: 10_000, status: 'succeeded' }])
})

test('what arrived since is told on the home screen, once', async ({ page, server }) => {
  const person = await arriveHome(page, server)
  await payTo(page, ONGOING)
  const receipt = receiptSheet(page)
  await expect(receipt.getByText(said.handedOver)).toBeVisible()
  await receipt.getByRole('button', { name: words.done }).click()
  await expect(activityRows(page).first()).toContainText(said.handedOverInRow)
  const notice = page.getByRole('status').getByText(said.arrivedAt)
  await expect(notice).toBeHidden()

  await letArrive(server, person)
  await page.clock.install()
  await page.reload()
  await expect(notice).toBeVisible()
  // Nobody has read it before that.
  await page.clock.runFor(500)
  await page.getByRole('button', { name: words.noted }).click()
  await expect(notice).toBeHidden()
  await page.reload()
  await expect(activityRows(page).first()).toContainText(said.arrivedAt)
  await expect(notice).toBeHidden()
})

test('what people pay by hand names nobody, and says that it is on its way', async ({ page, server }) => {
  await arriveHome(page, server)
  await payTo(page, '+224 620 00 00 00', 'Orange Money')
  const receipt = receiptSheet(page)
  await expect(receipt.getByText(said.byHand)).toBeVisible()
  await expect(receipt.getByText('MTN')).toBeHidden()
})

test('a receipt says to the word what is not as it should be', async ({ page, server }) => {
  const person = somebody()
  const uid = await server.register(person)
  const news = {
    by: 'mtn',
    isLate: false,
    handedOverAt: null,
    deliveredAt: null,
    proof: null,
    failure: null,
  }
  const standings = {
    late: { ...news, stage: 'ordered', isLate: true },
    failed: { ...news, stage: 'failed', failure: 'recipientUnknown' },
    calledOff: { ...news, stage: 'failed' },
    paidBack: { ...news, stage: 'paidBack', failure: 'recipientUnknown' },
  }
  for (const [name, delivery] of Object.entries(standings)) {
    const transfer = transferOf(uid, Object.keys(standings).indexOf(name), {
      status: name === 'late' ? 'completed' : 'failed',
      delivery,
    })
    await server.write(`transactions/${transfer.id}`, transfer)
  }
  await enter(page, server, person)
  const receipt = receiptSheet(page)
  for (const [index, ids] of Object.values(TROUBLES).entries()) {
    await activityRows(page).nth(index).click()
    for (const id of ids) await expect(receipt.getByText(say(id), { exact: true })).toBeVisible()
    await receipt.getByRole('button', { name: words.done }).click()
  }
})

test('that it comes later than promised is said before that time is over, and its receipt keeps no time', async ({
  page,
  context,
  server,
}) => {
  const person = somebody()
  const uid = await server.register(person)
  const news = { isLate: false, handedOverAt: null, deliveredAt: null, proof: null, failure: null }
  const ahead = (minutes: number) => new Date(Date.now() + minutes * 60_000)
  const transfers = [
    {
      promisedMinutes: 60,
      estimatedArrival: ahead(4),
      delivery: { ...news, stage: 'ordered', by: 'byHand' },
    },
    {
      promisedMinutes: 60,
      estimatedArrival: ahead(4),
      delivery: { ...news, stage: 'handedOver', by: 'mtn' },
    },
    // Estimated only.
    { promisedMinutes: null, estimatedArrival: ahead(4), delivery: { ...news, stage: 'ordered', by: 'mtn' } },
  ]
  for (const [index, change] of transfers.entries()) {
    const transfer = transferOf(uid, index, change)
    await server.write(`transactions/${transfer.id}`, transfer)
  }
  await enter(page, server, person)
  const receipt = receiptSheet(page)
  await expect(activityRows(page)).toHaveCount(3)
  // The code of the receipts is here.
  await activityRows(page).nth(2).click()
  await receipt.getByRole('button', { name: words.done }).click()
  await context.setOffline(true)
  for (const index of [0, 1]) {
    await expect(activityRows(page).nth(index)).toContainText(said.lateInRow)
    await activityRows(page).nth(index).click()
    await expect(receipt.getByText(said.late)).toBeVisible()
    await expect(receipt.locator('[data-item="late"] dd')).toHaveText(said.lateInRow)
    await expect(receipt.locator('[data-item="expectedBy"]')).toHaveCount(0)
    await receipt.getByRole('button', { name: words.done }).click()
  }
  await activityRows(page).nth(2).click()
  await expect(receipt.getByText(said.expected)).toBeVisible()
  await expect(receipt.locator('[data-item="expectedBy"]')).toHaveCount(1)
})
