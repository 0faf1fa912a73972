import type { Page } from '@playwright/test'
import { BROKEN_CALLS, expect, test } from './fixtures.ts'
import { DELIVERIES } from './moneyTexts/deliveries.ts'
import { expectStage, letArrive, ONGOING, transferBy } from './steps/deliveries.ts'
import { untilDrawn } from './steps/drawn.ts'
import { HISTORY_WORDS, openHistory, rowsOf, transferOf } from './steps/history.ts'
import { somebody } from './steps/people.ts'
import { CARDS, confirmForm, fillTransfer, payButton, typeCard } from './steps/transfer.ts'
import { arriveHome, enter } from './steps/waysIn.ts'
import type { Words } from './words.ts'

// What people see of the way of their money, where somebody pays it out.
test.use({
  settings: { DELIVERY_PROVIDERS: 'mtn,byHand' },
  // Chromium itself and the database's SDK write a line for each call that finds no network.
  expectedErrors: [BROKEN_CALLS],
})

/** MTN's test number that no wallet has. */
const NO_WALLET = '+224 660 00 04 57'

const SAID = {
  fr: {
    handedOver: 'Remis à MTN Mobile Money',
    inRow: { handedOver: 'Remis à MTN', arrived: /Arrivé à \d\d:\d\d/, paidBack: 'Remboursé' },
    byHand: 'En cours de remise au bénéficiaire',
    delivered: 'Remis au bénéficiaire',
    reference: (proof: string) => new RegExp(`Référence du portefeuille\\s: ${proof}`),
    expected: 'Arrivée prévue au plus tard',
    arrival: 'Arrivée',
    late: 'Arrivée plus tard que prévu',
    lateInRow: 'Plus tard que prévu',
    onItsWay: 'En route',
    arrived: 'Arrivés',
    arrivedAt: /^Arrivé à \d\d:\d\d$/,
    noted: 'C’est noté',
    orange: 'Orange Money',
  },
  en: {
    handedOver: 'Handed to MTN Mobile Money',
    inRow: { handedOver: 'Handed to MTN', arrived: /Arrived at \d\d:\d\d/, paidBack: 'Refunded' },
    byHand: 'Being brought to the recipient',
    delivered: 'Delivered to the recipient',
    reference: (proof: string) => new RegExp(`Wallet reference: ${proof}`),
    expected: 'Expected by',
    arrival: 'Arrival',
    late: 'Arriving later than expected',
    lateInRow: 'Later than expected',
    onItsWay: 'On its way',
    arrived: 'Arrived',
    arrivedAt: /^Arrived at \d\d:\d\d$/,
    noted: 'Got it',
    orange: 'Orange Money',
  },
} as const

async function pay(page: Page, words: Words, phone: string, wallet: string | null = null) {
  await fillTransfer(page, words, { amount: '100', phone })
  if (wallet) {
    await page.getByRole('radio', { name: wallet }).check()
    await page.getByLabel(words.confirmPhone).check()
  }
  await confirmForm(page, words)
  await typeCard(page, words, CARDS.good)
  await payButton(page, words).click()
  await expect(page.getByText(words.paid)).toBeVisible()
}

const receiptOf = (page: Page, words: Words) => page.getByRole('dialog', { name: words.receipt })
const activity = (page: Page, words: Words) =>
  page.getByRole('region', { name: words.activity }).getByRole('button')

test('money is handed over and arrives, as the receipt, the history and a device without a network say', async ({
  page,
  context,
  server,
  language,
  words,
}) => {
  const said = SAID[language]
  const person = await arriveHome(page, server, language)
  await pay(page, words, ONGOING)
  const receipt = receiptOf(page, words)
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
  await expect(activity(page, words).first()).toContainText(said.inRow.arrived)
  // The receipt has told it.
  await expect(page.getByRole('status').getByText(said.arrivedAt)).toBeHidden()

  await openHistory(page, HISTORY_WORDS[language])
  const filter = page.getByRole('combobox', { name: said.arrival })
  await filter.selectOption(said.onItsWay)
  await expect(page.getByText(HISTORY_WORDS[language].foundNone)).toBeVisible()
  await filter.selectOption(said.arrived)
  await expect(rowsOf(page)).toHaveCount(1)
  await context.setOffline(true)
  await rowsOf(page).first().getByRole('button').click()
  await expect(receipt.getByText(said.delivered)).toBeVisible()
  await expect(receipt.locator('[data-item="walletReference"] dd')).toHaveText(delivery.proof ?? '')
})

test('what is told of the delivery moves no button of the receipt', async ({
  page,
  server,
  language,
  words,
}) => {
  const said = SAID[language]
  const person = await arriveHome(page, server, language)
  await pay(page, words, ONGOING)
  const receipt = receiptOf(page, words)
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

test('a number without a wallet is told, and the card gets everything back', async ({
  page,
  server,
  language,
  words,
}) => {
  const person = await arriveHome(page, server, language)
  await pay(page, words, NO_WALLET)
  await expectStage(server, person, 'paidBack')
  const receipt = receiptOf(page, words)
  for (const sentence of DELIVERIES.paidBack[language])
    await expect(receipt.getByText(sentence)).toBeVisible()
  await expect(receipt.locator('[data-colour="red"]')).toBeVisible()
  await receipt.getByRole('button', { name: words.done }).click()
  await expect(activity(page, words).first()).toContainText(SAID[language].inRow.paidBack)
  const { id, status } = await transferBy(server, person)
  expect(status).toBe('failed')
  const { data: refunds } = await server.stripe.refunds.list({ payment_intent: id })
  expect(refunds).toMatchObject([{ amount: 10_000, status: 'succeeded' }])
})

test('what arrived since is told on the home screen, once', async ({ page, server, language, words }) => {
  const said = SAID[language]
  const person = await arriveHome(page, server, language)
  await pay(page, words, ONGOING)
  const receipt = receiptOf(page, words)
  await expect(receipt.getByText(said.handedOver)).toBeVisible()
  await receipt.getByRole('button', { name: words.done }).click()
  await expect(activity(page, words).first()).toContainText(said.inRow.handedOver)
  const notice = page.getByRole('status').getByText(said.arrivedAt)
  await expect(notice).toBeHidden()

  await letArrive(server, person)
  await page.clock.install()
  await page.reload()
  await expect(notice).toBeVisible()
  // Nobody has read it before that.
  await page.clock.runFor(500)
  await page.getByRole('button', { name: said.noted }).click()
  await expect(notice).toBeHidden()
  await page.reload()
  await expect(activity(page, words).first()).toContainText(said.inRow.arrived)
  await expect(notice).toBeHidden()
})

test('what people pay by hand names nobody, and says that it is on its way', async ({
  page,
  server,
  language,
  words,
}) => {
  await arriveHome(page, server, language)
  await pay(page, words, '+224 620 00 00 00', SAID[language].orange)
  const receipt = receiptOf(page, words)
  await expect(receipt.getByText(SAID[language].byHand)).toBeVisible()
  await expect(receipt.getByText('MTN')).toBeHidden()
})

test('a receipt says to the word what is not as it should be', async ({ page, server, language, words }) => {
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
  await enter(page, server, language, person)
  const receipt = receiptOf(page, words)
  for (const [index, said] of Object.values(DELIVERIES).entries()) {
    await activity(page, words).nth(index).click()
    for (const sentence of said[language]) await expect(receipt.getByText(spaced(sentence))).toBeVisible()
    await receipt.getByRole('button', { name: words.done }).click()
  }
})

test('that it comes later than promised is said before that time is over, and its receipt keeps no time', async ({
  page,
  context,
  server,
  language,
  words,
}) => {
  const said = SAID[language]
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
  await enter(page, server, language, person)
  const receipt = receiptOf(page, words)
  await expect(activity(page, words)).toHaveCount(3)
  // The code of the receipts is here.
  await activity(page, words).nth(2).click()
  await receipt.getByRole('button', { name: words.done }).click()
  await context.setOffline(true)
  for (const index of [0, 1]) {
    await expect(activity(page, words).nth(index)).toContainText(said.lateInRow)
    await activity(page, words).nth(index).click()
    await expect(receipt.getByText(said.late)).toBeVisible()
    await expect(receipt.locator('[data-item="late"] dd')).toHaveText(said.lateInRow)
    await expect(receipt.locator('[data-item="expectedBy"]')).toHaveCount(0)
    await receipt.getByRole('button', { name: words.done }).click()
  }
  await activity(page, words).nth(2).click()
  await expect(receipt.getByText(said.expected)).toBeVisible()
  await expect(receipt.locator('[data-item="expectedBy"]')).toHaveCount(1)
})

/** Whatever kind of space stands before a sign. */
const spaced = (sentence: string) =>
  new RegExp(`^${sentence.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replaceAll(' ', '\\s')}$`)
