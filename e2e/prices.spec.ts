import type { Browser, Page } from '@playwright/test'
import { HOUR } from '../domain/common/duration.ts'
import { EMPTY_SUBSCRIPTION } from '../domain/prices/plans.ts'
import { buildPlanProfile, PREMIUM_SUBSCRIPTION } from '../scenes/fixtures.ts'
import { BROKEN_CALL_ERRORS, expect, type Server, sceneTest, test } from './fixtures.ts'
import { runBeforeReserving } from './steps/faults.ts'
import { formatAmountText } from './steps/moneyTexts.ts'
import { openWallet } from './steps/pages.ts'
import { createPerson, type Person } from './steps/person.ts'
import { writePlan } from './steps/plans.ts'
import { openScene, setResponse } from './steps/scenes.ts'
import { openInTestLanguage, openSignedInHome, signIn } from './steps/signIn.ts'
import {
  CARD_NUMBERS,
  closeReceipt,
  confirmForm,
  fillTransfer,
  payAndExpectReceipt,
  payWithCard,
  receiptSheet,
} from './steps/transfer.ts'
import { buildTextPattern, defineTexts, getText } from './texts.ts'
import { words } from './words.ts'

test.use({ expectedErrors: [BROKEN_CALL_ERRORS] })

const FEES = { none: 0, plan: 100, full: 360 }
const said = defineTexts({
  readingPlan: 'Frais : lecture du forfait…',
  changed: 'Le prix de ce transfert a changé',
  slots: () => getText('{left} sur {allowance}', { left: 0, allowance: 2 }),
  expected: 'Arrivée prévue',
  due: () =>
    getText(
      'L’heure prévue est passée, et {name} n’a pas encore confirmé l’arrivée. Demandez au bénéficiaire s’il a reçu l’argent. Sinon, contactez notre assistance avec le numéro du transfert.',
    ).split(',')[0] ?? '',
  justNow: { fr: /il y a \d+ minute|à l’instant/, en: /\d+ minutes? ago|just now/i },
  again: 'Envoyer à nouveau ?',
  begun: () =>
    buildTextPattern(
      'Un paiement de {amount} au {phone} est déjà commencé ({when}), peut-être dans un autre onglet ou sur un autre appareil.',
    ),
  justSent: 'Vous venez d’envoyer {amount} au {phone} ({when}).',
  not: 'Ne rien envoyer',
  send: () => getText('Envoyer à nouveau {amount}', { amount: formatAmountText(12_000) }),
})

const fee = (minor: number) =>
  new RegExp(`${getText('Frais')}.*${formatAmountText(minor).replace(/\s/g, '\\s')}`)

const feeInSheet = (minor: number) => {
  const values = { paid: '…', fee: formatAmountText(minor) }
  const text = getText('à recevoir, pour {paid} dont {fee} de frais', values)
  return new RegExp(text.replace(/\./g, '\\.').replace(/\s/g, '\\s').replace('…', '.+'))
}

const fees = (after: number, before: number) => {
  const text = getText(
    'Frais : {fee} au lieu de {feeBefore}. À recevoir : {arrives} au lieu de {arrivedBefore}. Rien n’a été débité : confirmez pour payer à ce prix.',
    { fee: formatAmountText(after), feeBefore: formatAmountText(before), arrives: '…', arrivedBefore: '…' },
  )
  return new RegExp(text.replace(/[.?]/g, '\\$&').replace(/\s/g, '\\s').replaceAll('…', '.+'))
}

const BASIC = { tier: 'basic', transactionsLeft: 2 }

interface RegisteredPerson extends Person {
  readonly uid: string
}

async function register(server: Server, plan: object): Promise<RegisteredPerson> {
  const person = createPerson()
  const someone = { ...person, uid: await server.register(person) }
  await writePlan(server, someone, plan)
  return someone
}

async function openHomeWithPlan(page: Page, server: Server, plan: object) {
  const person = await register(server, plan)
  await openSignedInHome(page, server, person)
  return person
}

async function otherDevice(browser: Browser, server: Server, person: Person) {
  const page = await (await browser.newContext({ baseURL: server.origin })).newPage()
  await openSignedInHome(page, server, person)
  return page
}

const quote = (page: Page) => page.getByTestId('quote')
const readFees = async (server: Server, { email }: Person) =>
  (await server.readTransactions(email)).map(({ fees }) => fees).sort()

sceneTest('the form shows the fee only once it has read the plan', async ({ page }) => {
  const PROFILE = 'profiles.fetchProfile'
  await openScene(page, 'home-plan-unread', { responses: { [PROFILE]: 'held' } })
  await expect(quote(page)).toContainText(said.readingPlan)
  await expect(quote(page).getByLabel(words.arrives)).toHaveValue('')
  await setResponse(page, PROFILE, { value: buildPlanProfile(PREMIUM_SUBSCRIPTION) })
  await expect(quote(page)).toHaveText(fee(FEES.none))
})

test('the default fee applies once the plan’s transfers are used @desk', async ({ page, server }) => {
  const person = await openHomeWithPlan(page, server, { ...BASIC, transactionsLeft: 1 })
  for (const [amount, minor] of [
    ['100', FEES.plan],
    ['120', FEES.full],
  ] as const) {
    await fillTransfer(page, { amount })
    await expect(quote(page)).toContainText(fee(minor))
    await confirmForm(page)
    await expect(page.getByRole('dialog')).toContainText(feeInSheet(minor))
    await payAndExpectReceipt(page)
    await closeReceipt(page)
  }
  expect(await readFees(server, person)).toEqual([1, 3.6])
  await openWallet(page)
  await expect(page.getByText(said.slots)).toBeVisible()
})

test('after a plan was used up elsewhere, a press pays the new price @desk', async ({ page, server }) => {
  const person = await openHomeWithPlan(page, server, BASIC)
  await fillTransfer(page, { amount: '120' })
  await expect(quote(page)).toContainText(fee(FEES.plan))
  await runBeforeReserving(page, () => writePlan(server, person, { ...BASIC, transactionsLeft: 0 }))
  await confirmForm(page)
  const notice = page.getByRole('main').getByRole('alert')
  await expect(notice).toContainText(said.changed)
  await expect(notice).toContainText(fees(FEES.full, FEES.plan))
  await expect(notice).toBeInViewport()
  await expect(quote(page)).toContainText(fee(FEES.full))
  expect(await server.listPaymentIntents(person.email)).toEqual([])

  await confirmForm(page)
  await expect(page.getByRole('dialog')).toContainText(feeInSheet(FEES.full))
  await payAndExpectReceipt(page)
  expect(await readFees(server, person)).toEqual([3.6])
})

test('the server’s clock decides if a device’s is three hours fast @desk @all', async ({ page, server }) => {
  // By the device's clock, this plan has expired.
  const person = await register(server, { status: 'canceled', cancelAt: new Date(Date.now() + HOUR) })
  await page.clock.install({ time: Date.now() + 3 * HOUR })
  await openInTestLanguage(page)
  await signIn(page, person)
  await fillTransfer(page, { amount: '120' })
  await expect(quote(page)).toContainText(fee(FEES.none))
  await confirmForm(page)
  await payAndExpectReceipt(page)
  const receipt = receiptSheet(page)
  await expect(receipt.getByRole('listitem').filter({ hasText: said.expected })).toBeVisible()
  await expect(receipt.getByText(said.due)).toBeHidden()
  await closeReceipt(page)
  await expect(page.getByRole('region', { name: words.activity })).toContainText(said.justNow)
  await expect(page.getByText(words.expectedBy)).toBeHidden()

  await fillTransfer(page, { amount: '120' })
  await confirmForm(page)
  await expect(page.getByRole('dialog', { name: said.again })).toContainText(said.justSent)
  expect(await readFees(server, person)).toEqual([0])
})

test('repeating a transfer of another device is asked about @desk', async ({ browser, page, server }) => {
  const person = await openHomeWithPlan(page, server, EMPTY_SUBSCRIPTION)
  const other = await otherDevice(browser, server, person)
  for (const device of [page, other]) await fillTransfer(device, { amount: '120' })
  await confirmForm(other)
  await payWithCard(other, CARD_NUMBERS.threeDSecure)
  const bank = other.frameLocator('iframe[src*="3ds"]')
  await expect(bank.getByRole('button', { name: words.authenticate })).toBeVisible()

  await confirmForm(page)
  const question = page.getByRole('dialog', { name: said.again })
  await expect(question).toContainText(said.begun)
  await question.getByRole('button', { name: said.not }).click()
  await expect(question).toBeHidden()
  await expect(page.getByLabel(words.amount)).toHaveValue('120')

  await bank.getByRole('button', { name: words.authenticate }).click()
  await expect(receiptSheet(other).getByText(words.paid)).toBeVisible()
  await confirmForm(page)
  await expect(question).toContainText(said.justSent)
  expect(await server.listPaymentIntents(person.email)).toHaveLength(1)
  await question.getByRole('button', { name: said.send }).click()
  await payAndExpectReceipt(page)
  expect(await server.readTransactions(person.email)).toHaveLength(2)
  await other.context().close()
})
