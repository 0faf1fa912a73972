import type { Page } from '@playwright/test'
import { EMPTY_SUBSCRIPTION } from '../domain/prices/plans.ts'
import { buildPlanProfile, PREMIUM_SUBSCRIPTION } from '../scenes/fixtures.ts'
import { BROKEN_CALL_ERRORS, expect, type Server, sceneTest, test } from './fixtures.ts'
import { formatAmountText } from './steps/moneyTexts.ts'
import { openWallet } from './steps/pages.ts'
import { createPerson, type Person } from './steps/person.ts'
import { writePlan } from './steps/plans.ts'
import { openScene, setResponse } from './steps/scenes.ts'
import { openSignedInHome } from './steps/signIn.ts'
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
  again: 'Envoyer à nouveau ?',
  begun: () =>
    buildTextPattern(
      'Un paiement de {amount} au {phone} est déjà commencé ({when}), peut-être dans un autre onglet ou sur un autre appareil.',
    ),
  willChargeTwice: 'Ce sera un second transfert : votre carte sera débitée une fois de plus.',
  justSent: 'Vous venez d’envoyer {amount} au {phone} ({when}).',
  not: 'Ne rien envoyer',
  send: () => getText('Envoyer à nouveau {amount}', { amount: formatAmountText(12_000) }),
})

const fee = (minor: number) =>
  new RegExp(`${getText('Frais')}.*${formatAmountText(minor).replace(/\s/g, '\\s')}`)

const costs = (paid: number, fee: number) => {
  const price = { paid: formatAmountText(paid), fee: formatAmountText(fee) }
  return getText('à recevoir, pour {paid} dont {fee} de frais', price)
}

const BASIC = { tier: 'basic', transactionsLeft: 2 }

async function openHomeWithPlan(page: Page, server: Server, plan: object) {
  const account = createPerson()
  const person = { ...account, uid: await server.register(account) }
  await writePlan(server, person, plan)
  await openSignedInHome(page, server, person)
  return person
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
    await expect(page.getByRole('dialog')).toContainText(costs(Number(amount) * 100, minor))
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
  await page.route(
    '**/create-payment-intent',
    async (route) => {
      await writePlan(server, person, { ...BASIC, transactionsLeft: 0 })
      await route.fallback()
    },
    { times: 1 },
  )
  await confirmForm(page)
  const notice = page.getByRole('main').getByRole('alert')
  await expect(notice).toContainText(said.changed)
  await expect(notice).toBeInViewport()
  await expect(quote(page)).toContainText(fee(FEES.full))
  expect(await server.listPaymentIntents(person.email)).toEqual([])

  await confirmForm(page)
  await expect(page.getByRole('dialog')).toContainText(costs(12_000, FEES.full))
  await payAndExpectReceipt(page)
  expect(await readFees(server, person)).toEqual([3.6])
})

test('repeating a transfer of another device is asked about @desk', async ({ browser, page, server }) => {
  const person = await openHomeWithPlan(page, server, EMPTY_SUBSCRIPTION)
  const other = await (await browser.newContext({ baseURL: server.origin })).newPage()
  await openSignedInHome(other, server, person)
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
  await expect(question.getByText(said.willChargeTwice, { exact: true })).toBeVisible()
  await question.getByRole('button', { name: said.send }).click()
  await payAndExpectReceipt(page)
  expect(await server.readTransactions(person.email)).toHaveLength(2)
  await other.context().close()
})
