import type { Page } from '@playwright/test'
import { BROKEN_CALLS, expect, type Server, test } from './fixtures.ts'
import { expectNoDatabase } from './steps/device.ts'
import { untilDrawn } from './steps/drawn.ts'
import { changePasswordElsewhere, holdBack, spoilToken } from './steps/faults.ts'
import { expectHome, openSecurity } from './steps/pages.ts'
import { type Person, somebody } from './steps/people.ts'
import {
  activityRows,
  CARDS,
  confirmForm,
  fillTransfer,
  pay,
  payButton,
  receiptSheet,
  typeCard,
} from './steps/transfer.ts'
import { arriveHome, signIn, signOut, signUp, speak } from './steps/waysIn.ts'
import { words } from './words.ts'

test.use({ expectedErrors: [BROKEN_CALLS] })

async function expectOnePaid(server: Server, person: Person) {
  expect(await server.paymentIntentsOf(person.email)).toMatchObject([{ amount: 10_000, status: 'succeeded' }])
  expect(await server.transactionsOf(person.email)).toHaveLength(1)
}

/** The page as somebody comes back to it after the link of the mail, without the button of the page that it leads to. */
const COMES_BACK: Record<string, (page: Page) => Promise<Page>> = {
  'in the same tab': async (page) => {
    await page.reload()
    return page
  },
  'in another tab': async (page) => {
    const other = await page.context().newPage()
    await page.close()
    await other.goto('/')
    return other
  },
}

for (const [where, comeBack] of Object.entries(COMES_BACK))
  test(`who opens the link of the mail, and then the app again ${where}, is verified for all that is asked`, async ({
    page,
    server,
  }) => {
    const person = somebody()
    await speak(page)
    await signUp(page, person)
    await page.request.get(await server.mailLink(person.email))
    const app = await comeBack(page)
    await expectHome(app)
    await expect(app.getByText(words.noTransfers)).toBeVisible()
    await fillTransfer(app, { amount: '100' })
    await app.getByText('MTN Money').click()
    await confirmForm(app)
    await pay(app)
    await expectOnePaid(server, person)
  })

test('a token that the device takes for good and the server does not is made anew, unseen, and charges once', async ({
  page,
  server,
}) => {
  const person = await arriveHome(page, server)
  const renewals: string[] = []
  page.on('request', (request) => request.url().includes('/v1/token') && renewals.push(request.url()))
  await spoilToken(page)
  await fillTransfer(page, { amount: '100' })
  await page.getByText('MTN Money').click()
  await confirmForm(page)
  await pay(page)
  await expectOnePaid(server, person)
  expect(renewals).toHaveLength(1)
})

/** At the card of a transfer that is filled in. */
async function arriveAtCard(page: Page, server: Server) {
  const person = await arriveHome(page, server)
  await fillToCard(page)
  return person
}

async function fillToCard(page: Page) {
  await fillTransfer(page, { amount: '100' })
  await page.getByText('MTN Money').click()
  await confirmForm(page)
  await typeCard(page, CARDS.good)
}

const ended = (page: Page) =>
  page.getByRole('main').getByRole('alert').filter({ hasText: words.sessionEnded })

test.describe('a session that is ended elsewhere while the card is typed', () => {
  /** To the signed-out screen, with the money gone and nobody told so. */
  async function payWhileItEnds(page: Page, server: Server) {
    const person = await arriveAtCard(page, server)
    const renewed = await changePasswordElsewhere(page, server, person)
    // The hour of the token is over too.
    await spoilToken(page)
    await payButton(page).click()
    await expect(ended(page)).toContainText(words.maybePaid)
    await expect(ended(page)).toBeInViewport()
    return renewed
  }

  test('says what may have happened to the money; the receipt waits behind the sign-in', async ({
    page,
    server,
  }) => {
    const person = await payWhileItEnds(page, server)
    await expectNoDatabase(page)
    expect(await page.evaluate(() => JSON.stringify(localStorage))).not.toContain(person.email)
    await page.reload()
    await expect(ended(page)).toContainText(words.maybePaid)
    await signIn(page, person)
    await expect(receiptSheet(page)).toContainText(/100,00|100\.00/)
    await page.getByRole('button', { name: words.done }).click()
    await expect(page.getByLabel(words.amount)).toHaveValue('')
    await expectOnePaid(server, person)
    await page.reload()
    await expectHome(page)
    await expect(receiptSheet(page)).toBeHidden()
  })

  test('tells nothing of it to somebody else', async ({ page, server }) => {
    const person = await payWhileItEnds(page, server)
    const other = somebody()
    await server.register(other)
    await signIn(page, other)
    await expectHome(page)
    await expect(page.getByText(words.noTransfers)).toBeVisible()
    await expect(page.getByLabel(words.amount)).toHaveValue('')
    expect(await page.evaluate(() => localStorage.getItem('passerelle.ended'))).toBeNull()
    await signOut(page)
    await expect(ended(page)).toBeHidden()
    await signIn(page, person)
    await expect(activityRows(page)).toHaveCount(1)
    await expect(page.getByLabel(words.amount)).toHaveValue('')
  })

  test('gives the form back to the same person when nothing was charged', async ({
    page,
    context,
    server,
  }) => {
    const person = await arriveAtCard(page, server)
    const renewed = await changePasswordElsewhere(page, server, person)
    const other = await context.newPage()
    await other.goto('/')
    await expect(ended(other)).toBeVisible()
    await expect(ended(page)).toContainText(words.notPaidYet)
    await other.close()

    await signIn(page, renewed)
    await expect(page.getByText(words.notFinished)).toBeVisible()
    await expect(page.getByLabel(words.amount)).toHaveValue('100')
    await expect(page.getByLabel(words.phone)).toHaveValue('+224 620 00 00 00')
    await page.getByLabel(words.confirmPhone).check()
    await confirmForm(page)
    await pay(page)
    await expectOnePaid(server, person)
  })

  test('gives back what was reserved when the page was closed before the card was confirmed', async ({
    page,
    server,
  }) => {
    const person = await arriveAtCard(page, server)
    const renewed = await changePasswordElsewhere(page, server, person)
    // The SDK hears of it at the next start.
    await page.reload()
    await expect(ended(page)).toContainText(words.notPaidYet)
    await page.reload()
    await signIn(page, renewed)
    await expect(page.getByText(words.leftUnpaid)).toBeVisible()
    expect(await server.paymentIntentsOf(person.email)).toMatchObject([{ status: 'canceled' }])
  })
})

test('who signs out in another tab while a card is confirmed reads what may have happened to the money', async ({
  page,
  context,
  server,
}) => {
  const person = await arriveHome(page, server)
  const other = await context.newPage()
  await other.goto('/')
  await expectHome(other)
  await fillToCard(page)
  // Charged, and nobody knows yet.
  await page.route('**/record-transfer', (route) => route.abort())
  await payButton(page).click()
  await expect(page.getByRole('dialog', { name: words.checking })).toBeVisible()
  await signOut(other)
  await expect(ended(page)).toContainText(words.maybePaid)

  await page.unroute('**/record-transfer')
  await signIn(page, person)
  await expect(receiptSheet(page)).toContainText(/100,00|100\.00/)
  await expectOnePaid(server, person)
})

test('a session that was ended elsewhere is told of at the next start, and not once somebody is in again', async ({
  page,
  server,
}) => {
  const person = await arriveHome(page, server)
  const renewed = await changePasswordElsewhere(page, server, person)
  await page.reload()
  await expect(ended(page)).toContainText(words.sessionEnded)
  await signIn(page, renewed)
  await expectHome(page)
  await signOut(page)
  await expect(ended(page)).toBeHidden()
})

test('an account that is being deleted in one tab is not taken for one that never was by another', async ({
  page,
  context,
  server,
}) => {
  const { uid } = await arriveHome(page, server)
  await openSecurity(page)
  await page.getByRole('button', { name: words.deleteAccount }).click()
  await page.getByLabel(words.understood).check()
  const release = await holdBack(page, '**/delete-account')
  const asked = page.waitForRequest('**/delete-account')
  await page.getByRole('button', { name: words.deleteForGood }).click()
  await asked
  // The profile is the first thing to go.
  await server.remove(`users/${uid}`)

  const other = await context.newPage()
  const read = other.waitForResponse(/documents:batchGet/)
  await other.goto('/')
  await (await read).finished()
  await untilDrawn(other)
  await expectHome(other)
  release()
  for (const tab of [page, other]) {
    await expect(tab.getByRole('tab', { name: words.emailTab })).toBeVisible()
    await expect(tab.getByText(words.profileMissing)).toBeHidden()
    await expect(tab.getByLabel(words.email)).toHaveValue('')
  }
})

for (const { what, call, ask } of [
  {
    what: 'every session of a person is ended',
    call: '**/sign-out-everywhere',
    async ask(page: Page) {
      await page.getByRole('button', { name: words.signOutEverywhere }).click()
      await page.getByRole('dialog').getByRole('button', { name: words.signOutEverywhere }).click()
    },
  },
  {
    what: 'an account is deleted',
    call: '**/delete-account',
    async ask(page: Page) {
      await page.getByRole('button', { name: words.deleteAccount }).click()
      await page.getByLabel(words.understood).check()
      await page.getByRole('button', { name: words.deleteForGood }).click()
    },
  },
])
  test(`that ${what} signs out nobody else who came in meanwhile in another tab`, async ({
    page,
    context,
    server,
  }) => {
    const next = { ...somebody(), name: 'Binta Sow' }
    await server.register(next)
    await arriveHome(page, server)
    await openSecurity(page)
    const release = await holdBack(page, call)
    const asked = page.waitForRequest(call)
    await ask(page)
    await asked

    const other = await context.newPage()
    await other.goto('/')
    await signOut(other)
    await signIn(other, next)
    const greeted = page.getByText(next.name.toLocaleUpperCase())
    await expect(greeted).toBeVisible()
    const answered = page.waitForResponse(call)
    release()
    expect((await answered).ok()).toBe(true)
    await untilDrawn(page)
    expect(await page.getByText(words.accountDeleted).isVisible()).toBe(false)
    await expect(greeted).toBeVisible()
    await expectHome(other)
  })
