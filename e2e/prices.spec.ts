import type { Browser, Page } from '@playwright/test'
import { HOUR } from '../domain/common/duration.ts'
import { EMPTY_SUBSCRIPTION } from '../domain/prices/plans.ts'
import { buildPlanProfile, PREMIUM_SUBSCRIPTION } from '../scenes/fixtures.ts'
import { BROKEN_CALL_ERRORS, expect, type Server, sceneTest, test } from './fixtures.ts'
import { runBeforeReserving } from './steps/faults.ts'
import { formatAmountText } from './steps/moneyTexts.ts'
import { expectHome, openOtherTab, openWallet } from './steps/pages.ts'
import { createPerson, type Person } from './steps/person.ts'
import { writePlan } from './steps/plans.ts'
import { openScene, setResponse } from './steps/scenes.ts'
import { openInTestLanguage, openSignedInHome, signIn, signOut } from './steps/signIn.ts'
import {
  CARD_NUMBERS,
  closeReceipt,
  confirmForm,
  fillTransfer,
  openCardForm,
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
  bankAsks: 'Votre banque attend votre confirmation',
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
const notice = (page: Page) => page.getByRole('main').getByRole('alert')
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
  const person = await openHomeWithPlan(page, server, BASIC)
  for (const amount of ['100', '110']) {
    await fillTransfer(page, { amount })
    await expect(quote(page)).toContainText(fee(FEES.plan))
    await confirmForm(page)
    await expect(page.getByRole('dialog')).toContainText(feeInSheet(FEES.plan))
    await payAndExpectReceipt(page)
    await closeReceipt(page)
  }
  await fillTransfer(page, { amount: '120' })
  await expect(quote(page)).toContainText(fee(FEES.full))
  await confirmForm(page)
  await expect(page.getByRole('dialog')).toContainText(feeInSheet(FEES.full))
  await payAndExpectReceipt(page)
  await closeReceipt(page)
  expect(await readFees(server, person)).toEqual([1, 1, 3.6])
  await openWallet(page)
  await expect(page.getByText(said.slots)).toBeVisible()
})

const ELSEWHERE: [string, from: object, to: object, keyof typeof FEES, keyof typeof FEES][] = [
  ['was used up', BASIC, { ...BASIC, transactionsLeft: 0 }, 'plan', 'full'],
  ['was bought', EMPTY_SUBSCRIPTION, BASIC, 'full', 'plan'],
  ['has ended', {}, { status: 'canceled', cancelAt: new Date() }, 'none', 'full'],
]
for (const [what, from, to, before, after] of ELSEWHERE)
  test(`after a plan ${what} elsewhere, a press pays the new price @desk`, async ({ page, server }) => {
    const person = await openHomeWithPlan(page, server, from)
    await fillTransfer(page, { amount: '120' })
    await expect(quote(page)).toContainText(fee(FEES[before]))
    await runBeforeReserving(page, () => writePlan(server, person, to))
    await confirmForm(page)
    await expect(notice(page)).toContainText(said.changed)
    await expect(notice(page)).toContainText(fees(FEES[after], FEES[before]))
    await expect(notice(page)).toBeInViewport()
    await expect(quote(page)).toContainText(fee(FEES[after]))
    expect(await server.listPaymentIntents(person.email)).toEqual([])

    await confirmForm(page)
    await expect(page.getByRole('dialog')).toContainText(feeInSheet(FEES[after]))
    await payAndExpectReceipt(page)
    expect(await readFees(server, person)).toEqual([FEES[after] / 100])
  })

test('a slot reserved on another device is not offered @desk @all', async ({ browser, page, server }) => {
  const person = await openHomeWithPlan(page, server, { ...BASIC, transactionsLeft: 1 })
  await fillTransfer(page, { amount: '120' })
  await expect(quote(page)).toContainText(fee(FEES.plan))

  const other = await otherDevice(browser, server, person)
  await fillTransfer(other, { amount: '100' })
  await runBeforeReserving(page, async () => {
    await openCardForm(other)
  })
  await confirmForm(page)
  await expect(notice(page)).toContainText(said.changed)
  await expect(notice(page)).toContainText(fees(FEES.full, FEES.plan))
  await page.reload()
  await expect(quote(page)).toContainText(fee(FEES.full))
  await openWallet(page)
  await expect(page.getByText(said.slots)).toBeVisible()
  await page.goBack()
  await page.getByLabel(words.confirmPhone).check()
  await confirmForm(page)
  await payAndExpectReceipt(page)
  expect(await readFees(server, person)).toEqual([3.6])

  await other.getByRole('button', { name: words.close, exact: true }).click()
  await expect.poll(() => server.readLedgers(person.email)).toMatchObject([{ reservedSlots: 0 }])
  await closeReceipt(page)
  await fillTransfer(page, { amount: '130' })
  await expect(quote(page)).toContainText(fee(FEES.plan))
  await other.context().close()
})

for (const hours of [-3, 3])
  test(`the server’s clock decides if a device’s is ${hours} h off @desk @all`, async ({ page, server }) => {
    const isAhead = hours > 0
    // With a fast device clock an active plan looks expired; with a slow one an expired plan looks active.
    const cancelAt = new Date(Date.now() + (isAhead ? HOUR : -HOUR))
    const person = await register(server, { status: 'canceled', cancelAt })
    await page.clock.install({ time: Date.now() + hours * HOUR })
    await openInTestLanguage(page)
    await signIn(page, person)
    await fillTransfer(page, { amount: '120' })
    await expect(quote(page)).toContainText(fee(isAhead ? FEES.none : FEES.full))
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
    expect(await readFees(server, person)).toEqual([isAhead ? 0 : 3.6])
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

test('a sign-in during 3-D Secure asks before repeating @desk @all', async ({ page, context, server }) => {
  const person = await openHomeWithPlan(page, server, EMPTY_SUBSCRIPTION)
  await fillTransfer(page, { amount: '120' })
  await confirmForm(page)
  await payWithCard(page, CARD_NUMBERS.threeDSecure)
  await expect(
    page.frameLocator('iframe[src*="3ds"]').getByRole('button', { name: words.authenticate }),
  ).toBeVisible()

  const other = await openOtherTab(context)
  // The page scrolls to the open payment, which closes a menu.
  await expect(other.getByText(said.bankAsks)).toBeVisible()
  await signOut(other)
  await signIn(other, person)
  await expectHome(other)
  await fillTransfer(other, { amount: '120' })
  await confirmForm(other)
  await expect(other.getByRole('dialog', { name: said.again })).toContainText(said.begun)
  expect(await server.listPaymentIntents(person.email)).toHaveLength(1)
})
