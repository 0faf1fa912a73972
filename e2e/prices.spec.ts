import type { Browser, Page } from '@playwright/test'
import { BROKEN_CALLS, expect, type Server, test } from './fixtures.ts'
import { rightBeforeReserving } from './steps/faults.ts'
import { amount } from './steps/moneyTexts.ts'
import { expectHome, openWallet } from './steps/pages.ts'
import { type Person, somebody } from './steps/people.ts'
import { writePlan } from './steps/plans.ts'
import {
  CARDS,
  confirmForm,
  fillTransfer,
  pay,
  payButton,
  payWithCard,
  receiptSheet,
} from './steps/transfer.ts'
import { enter, signIn, signOut, speak } from './steps/waysIn.ts'
import { pattern, say, texts } from './texts.ts'
import { words } from './words.ts'

// A refusal is an answer with an error's status.
test.use({ expectedErrors: [BROKEN_CALLS] })

const HOUR = 3_600_000

const FEES = { none: 0, plan: 100, full: 360 }
const said = texts({
  changed: 'Le prix de ce transfert a changé',
  slots: () => say('{left} sur {allowance}', { left: 0, allowance: 2 }),
  due: () =>
    say(
      'L’heure prévue est passée, et {name} n’a pas encore confirmé l’arrivée. Demandez au bénéficiaire s’il a reçu l’argent. Sinon, contactez notre assistance avec le numéro du transfert.',
    ).split(',')[0] ?? '',
  justNow: { fr: /il y a \d+ minute|à l’instant/, en: /\d+ minutes? ago|just now/i },
  again: 'Envoyer à nouveau ?',
  begun: () =>
    pattern(
      'Un paiement de {amount} au {phone} est déjà commencé ({when}), peut-être dans un autre onglet ou sur un autre appareil.',
    ),
  justSent: 'Vous venez d’envoyer {amount} au {phone} ({when}).',
  not: 'Ne rien envoyer',
  send: () => say('Envoyer à nouveau {amount}', { amount: amount(12_000) }),
})

/** Matches a fee in the quote and in the sheet. */
const fee = (minor: number) => new RegExp(`${say('Frais')}.*${amount(minor).replace(/\s/g, '\\s')}`)

/** Matches the notice of a changed price; nothing was charged. */
const fees = (after: number, before: number) => {
  const text = say(
    'Frais : {fee} au lieu de {feeBefore}. À recevoir : {arrives} au lieu de {arrivedBefore}. Rien n’a été débité : confirmez pour payer à ce prix.',
    { fee: amount(after), feeBefore: amount(before), arrives: '…', arrivedBefore: '…' },
  )
  return new RegExp(text.replace(/[.?]/g, '\\$&').replace(/\s/g, '\\s').replaceAll('…', '.+'))
}

/** A plan as the provider's news would have stored it. */
const planOf = (tier: 'basic' | 'premium' | null, more: object = {}) => ({
  tier,
  status: tier && 'active',
  transactionsLeft: tier && (tier === 'basic' ? 2 : 5),
  startDate: tier && new Date(),
  lastReset: tier && new Date(),
  stripeSubscriptionId: tier && `sub_${tier}`,
  cancelAt: null,
  ...more,
})

interface Somebody extends Person {
  readonly uid: string
}

async function register(server: Server, plan: object): Promise<Somebody> {
  const person = somebody()
  const someone = { ...person, uid: await server.register(person) }
  await writePlan(server, someone, plan)
  return someone
}

/** Another device of the same person, on the home screen. */
async function otherDevice(browser: Browser, server: Server, person: Person) {
  const page = await (await browser.newContext({ baseURL: server.origin })).newPage()
  await enter(page, server, person)
  return page
}

const quote = (page: Page) => page.getByTestId('quote')
const notice = (page: Page) => page.getByRole('main').getByRole('alert')
const feesOf = async (server: Server, { email }: Person) =>
  (await server.transactionsOf(email)).map(({ fees }) => fees).sort()

test('the transfers of a plan end in one sitting: the next one stands at its new price, and is paid at it', async ({
  page,
  server,
}) => {
  const person = await register(server, planOf('basic'))
  await enter(page, server, person)
  for (const amount of ['100', '110']) {
    await fillTransfer(page, { amount })
    await expect(quote(page)).toContainText(fee(FEES.plan))
    await confirmForm(page)
    await expect(page.getByRole('dialog')).toContainText(fee(FEES.plan))
    await pay(page)
    await page.getByRole('button', { name: words.done }).click()
  }
  await fillTransfer(page, { amount: '120' })
  await expect(quote(page)).toContainText(fee(FEES.full))
  await confirmForm(page)
  await expect(page.getByRole('dialog')).toContainText(fee(FEES.full))
  await pay(page)
  await page.getByRole('button', { name: words.done }).click()
  expect(await feesOf(server, person)).toEqual([1, 1, 3.6])
  await openWallet(page)
  await expect(page.getByText(said.slots)).toBeVisible()
})

const ELSEWHERE: [string, from: object, to: object, 'none' | 'plan' | 'full', 'none' | 'plan' | 'full'][] = [
  ['was used up', planOf('basic'), planOf('basic', { transactionsLeft: 0 }), 'plan', 'full'],
  ['was bought', planOf(null), planOf('basic'), 'full', 'plan'],
  [
    'has ended',
    planOf('premium'),
    planOf('premium', { status: 'canceled', cancelAt: new Date() }),
    'none',
    'full',
  ],
]
for (const [what, from, to, before, after] of ELSEWHERE)
  test(`a plan that ${what} elsewhere: what changed is shown beside the button, and the next press pays it`, async ({
    page,
    server,
  }) => {
    const person = await register(server, from)
    await enter(page, server, person)
    await fillTransfer(page, { amount: '120' })
    await expect(quote(page)).toContainText(fee(FEES[before]))
    await rightBeforeReserving(page, () => writePlan(server, person, to))
    await confirmForm(page)
    await expect(notice(page)).toContainText(said.changed)
    await expect(notice(page)).toContainText(fees(FEES[after], FEES[before]))
    await expect(notice(page)).toBeInViewport()
    await expect(quote(page)).toContainText(fee(FEES[after]))
    expect(await server.paymentIntentsOf(person.email)).toEqual([])

    await confirmForm(page)
    await expect(page.getByRole('dialog')).toContainText(fee(FEES[after]))
    await pay(page)
    expect(await feesOf(server, person)).toEqual([FEES[after] / 100])
  })

test('the last transfer of a plan that an open payment elsewhere holds is not promised again', async ({
  browser,
  page,
  server,
}) => {
  const person = await register(server, planOf('basic', { transactionsLeft: 1 }))
  await enter(page, server, person)
  await fillTransfer(page, { amount: '120' })
  await expect(quote(page)).toContainText(fee(FEES.plan))

  const other = await otherDevice(browser, server, person)
  await fillTransfer(other, { amount: '100' })
  await rightBeforeReserving(page, async () => {
    await confirmForm(other)
    await expect(payButton(other)).toBeEnabled()
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
  await pay(page)
  expect(await feesOf(server, person)).toEqual([3.6])

  // The other one is given up: what it held is there again.
  await other.getByRole('button', { name: words.backToTransfer }).click()
  await expect.poll(() => server.ledgersOf(person.email)).toMatchObject([{ reservedSlots: 0 }])
  await page.getByRole('button', { name: words.done }).click()
  await fillTransfer(page, { amount: '130' })
  await expect(quote(page)).toContainText(fee(FEES.plan))
  await other.context().close()
})

test('a plan that ends while the filled form stands there: the new price is shown by itself, and paid', async ({
  page,
  server,
}) => {
  const person = await register(server, planOf('premium'))
  await enter(page, server, person)
  await fillTransfer(page, { amount: '120' })
  await expect(quote(page)).toContainText(fee(FEES.none))
  await writePlan(
    server,
    person,
    planOf('premium', { status: 'canceled', cancelAt: new Date(Date.now() + 8_000) }),
  )
  // The app comes back into sight.
  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
  await expect(notice(page)).toContainText(said.changed)
  await expect(notice(page)).toContainText(fees(FEES.full, FEES.none))
  await confirmForm(page)
  await expect(page.getByRole('dialog')).toContainText(fee(FEES.full))
  await pay(page)
  expect(await feesOf(server, person)).toEqual([3.6])
})

for (const hours of [-3, 3])
  test(`a device whose clock is ${hours} hours off: price, receipt, activity and question go by the server's`, async ({
    page,
    server,
  }) => {
    const isAhead = hours > 0
    // One that has not ended yet, for a clock that is ahead has; and one that has, for a clock that lags has not.
    const cancelAt = new Date(Date.now() + (isAhead ? HOUR : -HOUR))
    const person = await register(server, planOf('premium', { status: 'canceled', cancelAt }))
    await page.clock.install({ time: Date.now() + hours * HOUR })
    await speak(page)
    await signIn(page, person)
    await fillTransfer(page, { amount: '120' })
    await expect(quote(page)).toContainText(fee(isAhead ? FEES.none : FEES.full))
    await confirmForm(page)
    await pay(page)
    const receipt = receiptSheet(page)
    await expect(receipt.locator('[data-stage=onItsWay]')).toBeVisible()
    await expect(receipt.getByText(said.due)).toBeHidden()
    await receipt.getByRole('button', { name: words.done }).click()
    await expect(page.getByRole('region', { name: words.activity })).toContainText(said.justNow)
    await expect(page.getByText(words.expectedBy)).toBeHidden()

    await fillTransfer(page, { amount: '120' })
    await confirmForm(page)
    await expect(page.getByRole('dialog', { name: said.again })).toContainText(said.justSent)
    expect(await feesOf(server, person)).toEqual([isAhead ? 0 : 3.6])
  })

test('the same transfer, open on another device while its bank asks, is asked about, and sent again when it is meant', async ({
  browser,
  page,
  server,
}) => {
  const person = await register(server, planOf(null))
  await enter(page, server, person)
  const other = await otherDevice(browser, server, person)
  for (const device of [page, other]) await fillTransfer(device, { amount: '120' })
  await confirmForm(other)
  await payWithCard(other, CARDS.threeDSecure)
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
  expect(await server.paymentIntentsOf(person.email)).toHaveLength(1)
  await question.getByRole('button', { name: said.send }).click()
  await pay(page)
  expect(await server.transactionsOf(person.email)).toHaveLength(2)
  await other.context().close()
})

test('who signs out and in again while the bank asks is asked before the same is paid once more', async ({
  page,
  context,
  server,
}) => {
  const person = await register(server, planOf(null))
  await enter(page, server, person)
  await fillTransfer(page, { amount: '120' })
  await confirmForm(page)
  await payWithCard(page, CARDS.threeDSecure)
  await expect(
    page.frameLocator('iframe[src*="3ds"]').getByRole('button', { name: words.authenticate }),
  ).toBeVisible()

  const other = await context.newPage()
  await other.goto('/')
  await expectHome(other)
  await signOut(other)
  await signIn(other, person)
  await expectHome(other)
  await fillTransfer(other, { amount: '120' })
  await confirmForm(other)
  await expect(other.getByRole('dialog', { name: said.again })).toContainText(said.begun)
  expect(await server.paymentIntentsOf(person.email)).toHaveLength(1)
})
