import type { Browser, Page } from '@playwright/test'
import { BROKEN_CALLS, expect, type Server, test } from './fixtures.ts'
import { rightBeforeReserving } from './steps/faults.ts'
import { expectHome, openWallet } from './steps/pages.ts'
import { type Person, somebody } from './steps/people.ts'
import { CARDS, confirmForm, fillTransfer, payButton, typeCard } from './steps/transfer.ts'
import { enter, signIn, signOut, speak } from './steps/waysIn.ts'
import type { Words } from './words.ts'

// A refusal is an answer with an error's status.
test.use({ expectedErrors: [BROKEN_CALLS] })

const HOUR = 3_600_000

const SAID = {
  fr: {
    changed: 'Le prix de ce transfert a changé',
    fees: (fee: string, before: string) => new RegExp(`Frais\\s: ${fee}\\s€ au lieu de ${before}\\s€`),
    notCharged: 'Rien n’a été débité',
    fee: (fee: string) => new RegExp(`Frais.*${fee}\\s€`),
    amounts: { none: '0,00', plan: '1,00', full: '3,60' },
    slots: '0 sur 2',
    due: 'L’heure prévue est passée',
    justNow: /il y a \d+ minute|à l’instant/,
    again: /^Envoyer à nouveau\s\?$/,
    begun: 'sur un autre appareil',
    justSent: 'Vous venez d’envoyer',
    not: 'Ne rien envoyer',
    send: /^Envoyer à nouveau 120,00/,
  },
  en: {
    changed: 'The price of this transfer has changed',
    fees: (fee: string, before: string) => new RegExp(`Fee: €${fee} instead of €${before}`),
    notCharged: 'Nothing was charged',
    fee: (fee: string) => new RegExp(`Fee.*€${fee}`),
    amounts: { none: '0.00', plan: '1.00', full: '3.60' },
    slots: '0 of 2',
    due: 'The expected time has passed',
    justNow: /\d+ minutes? ago|just now/i,
    again: 'Send again?',
    begun: 'on another device',
    justSent: 'You just sent',
    not: 'Send nothing',
    send: /^Send €120.00 again/,
  },
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

const changePlan = (server: Server, { uid, name, email }: Somebody, plan: object) =>
  server.write(`users/${uid}`, {
    ...{ name, email, phone: null, createdAt: new Date() },
    ...{ madeWith: 'address', verifiedAddress: email },
    subscription: plan,
  })

async function register(server: Server, plan: object): Promise<Somebody> {
  const person = somebody()
  const someone = { ...person, uid: await server.register(person) }
  await changePlan(server, someone, plan)
  return someone
}

/** Another device of the same person, on the home screen. */
async function otherDevice(browser: Browser, server: Server, language: 'fr' | 'en', person: Person) {
  const page = await (await browser.newContext({ baseURL: server.origin })).newPage()
  await enter(page, server, language, person)
  return page
}

const quote = (page: Page) => page.getByTestId('quote')
const notice = (page: Page) => page.getByRole('main').getByRole('alert')
/** From the confirmed form to the receipt. */
async function pay(page: Page, words: Words) {
  await typeCard(page, words, CARDS.good)
  await payButton(page, words).click()
  await expect(page.getByRole('dialog', { name: words.receipt }).getByText(words.paid)).toBeVisible()
}

const feesOf = async (server: Server, { email }: Person) =>
  (await server.transactionsOf(email)).map(({ fees }) => fees).sort()

test('the transfers of a plan end in one sitting: the next one stands at its new price, and is paid at it', async ({
  page,
  server,
  language,
  words,
}) => {
  const { amounts, fee, slots } = SAID[language]
  const person = await register(server, planOf('basic'))
  await enter(page, server, language, person)
  for (const amount of ['100', '110']) {
    await fillTransfer(page, words, { amount })
    await expect(quote(page)).toContainText(fee(amounts.plan))
    await confirmForm(page, words)
    await expect(page.getByRole('dialog')).toContainText(fee(amounts.plan))
    await pay(page, words)
    await page.getByRole('button', { name: words.done }).click()
  }
  await fillTransfer(page, words, { amount: '120' })
  await expect(quote(page)).toContainText(fee(amounts.full))
  await confirmForm(page, words)
  await expect(page.getByRole('dialog')).toContainText(fee(amounts.full))
  await pay(page, words)
  await page.getByRole('button', { name: words.done }).click()
  expect(await feesOf(server, person)).toEqual([1, 1, 3.6])
  await openWallet(page, words)
  await expect(page.getByText(slots)).toBeVisible()
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
    language,
    words,
  }) => {
    const { amounts, changed, fee, fees, notCharged } = SAID[language]
    const person = await register(server, from)
    await enter(page, server, language, person)
    await fillTransfer(page, words, { amount: '120' })
    await expect(quote(page)).toContainText(fee(amounts[before]))
    await rightBeforeReserving(page, () => changePlan(server, person, to))
    await confirmForm(page, words)
    await expect(notice(page)).toContainText(changed)
    await expect(notice(page)).toContainText(fees(amounts[after], amounts[before]))
    await expect(notice(page)).toContainText(notCharged)
    await expect(notice(page)).toBeInViewport()
    await expect(quote(page)).toContainText(fee(amounts[after]))
    expect(await server.paymentIntentsOf(person.email)).toEqual([])

    await confirmForm(page, words)
    await expect(page.getByRole('dialog')).toContainText(fee(amounts[after]))
    await pay(page, words)
    expect(await feesOf(server, person)).toEqual([Number(amounts[after].replace(',', '.'))])
  })

test('the last transfer of a plan that an open payment elsewhere holds is not promised again', async ({
  browser,
  page,
  server,
  language,
  words,
}) => {
  const { amounts, changed, fee, fees, slots } = SAID[language]
  const person = await register(server, planOf('basic', { transactionsLeft: 1 }))
  await enter(page, server, language, person)
  await fillTransfer(page, words, { amount: '120' })
  await expect(quote(page)).toContainText(fee(amounts.plan))

  const other = await otherDevice(browser, server, language, person)
  await fillTransfer(other, words, { amount: '100' })
  await rightBeforeReserving(page, async () => {
    await confirmForm(other, words)
    await expect(payButton(other, words)).toBeEnabled()
  })
  await confirmForm(page, words)
  await expect(notice(page)).toContainText(changed)
  await expect(notice(page)).toContainText(fees(amounts.full, amounts.plan))
  await page.reload()
  await expect(quote(page)).toContainText(fee(amounts.full))
  await openWallet(page, words)
  await expect(page.getByText(slots)).toBeVisible()
  await page.goBack()
  await page.getByLabel(words.confirmPhone).check()
  await confirmForm(page, words)
  await pay(page, words)
  expect(await feesOf(server, person)).toEqual([3.6])

  // The other one is given up: what it held is there again.
  await other.getByRole('button', { name: words.backToTransfer }).click()
  await expect.poll(() => server.ledgersOf(person.email)).toMatchObject([{ reservedSlots: 0 }])
  await page.getByRole('button', { name: words.done }).click()
  await fillTransfer(page, words, { amount: '130' })
  await expect(quote(page)).toContainText(fee(amounts.plan))
  await other.context().close()
})

test('a plan that ends while the filled form stands there: the new price is shown by itself, and paid', async ({
  page,
  server,
  language,
  words,
}) => {
  const { amounts, changed, fee, fees } = SAID[language]
  const person = await register(server, planOf('premium'))
  await enter(page, server, language, person)
  await fillTransfer(page, words, { amount: '120' })
  await expect(quote(page)).toContainText(fee(amounts.none))
  await changePlan(
    server,
    person,
    planOf('premium', { status: 'canceled', cancelAt: new Date(Date.now() + 8_000) }),
  )
  // The app comes back into sight.
  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
  await expect(notice(page)).toContainText(changed)
  await expect(notice(page)).toContainText(fees(amounts.full, amounts.none))
  await confirmForm(page, words)
  await expect(page.getByRole('dialog')).toContainText(fee(amounts.full))
  await pay(page, words)
  expect(await feesOf(server, person)).toEqual([3.6])
})

for (const hours of [-3, 3])
  test(`a device whose clock is ${hours} hours off: price, receipt, activity and question go by the server's`, async ({
    page,
    server,
    language,
    words,
  }) => {
    const { again, amounts, due, fee, justNow, justSent } = SAID[language]
    const isAhead = hours > 0
    // One that has not ended yet, for a clock that is ahead has; and one that has, for a clock that lags has not.
    const cancelAt = new Date(Date.now() + (isAhead ? HOUR : -HOUR))
    const person = await register(server, planOf('premium', { status: 'canceled', cancelAt }))
    await page.clock.install({ time: Date.now() + hours * HOUR })
    await speak(page, language)
    await signIn(page, words, person)
    await fillTransfer(page, words, { amount: '120' })
    await expect(quote(page)).toContainText(fee(isAhead ? amounts.none : amounts.full))
    await confirmForm(page, words)
    await pay(page, words)
    const receipt = page.getByRole('dialog', { name: words.receipt })
    await expect(receipt.locator('[data-stage=onItsWay]')).toBeVisible()
    await expect(receipt.getByText(due)).toBeHidden()
    await receipt.getByRole('button', { name: words.done }).click()
    await expect(page.getByRole('region', { name: words.activity })).toContainText(justNow)
    await expect(page.getByText(words.expectedBy)).toBeHidden()

    await fillTransfer(page, words, { amount: '120' })
    await confirmForm(page, words)
    await expect(page.getByRole('dialog', { name: again })).toContainText(justSent)
    expect(await feesOf(server, person)).toEqual([isAhead ? 0 : 3.6])
  })

test('the same transfer, open on another device while its bank asks, is asked about, and sent again when it is meant', async ({
  browser,
  page,
  server,
  language,
  words,
}) => {
  const { again, begun, justSent, not, send } = SAID[language]
  const person = await register(server, planOf(null))
  await enter(page, server, language, person)
  const other = await otherDevice(browser, server, language, person)
  for (const device of [page, other]) await fillTransfer(device, words, { amount: '120' })
  await confirmForm(other, words)
  await typeCard(other, words, CARDS.threeDSecure)
  await payButton(other, words).click()
  const bank = other.frameLocator('iframe[src*="3ds"]')
  await expect(bank.getByRole('button', { name: words.authenticate })).toBeVisible()

  await confirmForm(page, words)
  const question = page.getByRole('dialog', { name: again })
  await expect(question).toContainText(begun)
  await question.getByRole('button', { name: not }).click()
  await expect(question).toBeHidden()
  await expect(page.getByLabel(words.amount)).toHaveValue('120')

  await bank.getByRole('button', { name: words.authenticate }).click()
  await expect(other.getByRole('dialog', { name: words.receipt }).getByText(words.paid)).toBeVisible()
  await confirmForm(page, words)
  await expect(question).toContainText(justSent)
  expect(await server.paymentIntentsOf(person.email)).toHaveLength(1)
  await question.getByRole('button', { name: send }).click()
  await pay(page, words)
  expect(await server.transactionsOf(person.email)).toHaveLength(2)
  await other.context().close()
})

test('who signs out and in again while the bank asks is asked before the same is paid once more', async ({
  page,
  context,
  server,
  language,
  words,
}) => {
  const { again, begun } = SAID[language]
  const person = await register(server, planOf(null))
  await enter(page, server, language, person)
  await fillTransfer(page, words, { amount: '120' })
  await confirmForm(page, words)
  await typeCard(page, words, CARDS.threeDSecure)
  await payButton(page, words).click()
  await expect(
    page.frameLocator('iframe[src*="3ds"]').getByRole('button', { name: words.authenticate }),
  ).toBeVisible()

  const other = await context.newPage()
  await other.goto('/')
  await expectHome(other, words)
  await signOut(other, words)
  await signIn(other, words, person)
  await expectHome(other, words)
  await fillTransfer(other, words, { amount: '120' })
  await confirmForm(other, words)
  await expect(other.getByRole('dialog', { name: again })).toContainText(begun)
  expect(await server.paymentIntentsOf(person.email)).toHaveLength(1)
})
