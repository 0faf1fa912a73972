import type { Page } from '@playwright/test'
import { BROKEN_CALLS, expect, type Server, test } from './fixtures.ts'
import {
  CARDS,
  expectHome,
  fillTransfer,
  type Person,
  payButton,
  signIn,
  signUp,
  somebody,
  speak,
  typeCard,
  type Words,
} from './steps.ts'

test.use({ expectedErrors: [BROKEN_CALLS] })

/** From the filled form to the receipt. */
async function pay(page: Page, words: Words) {
  await page.getByRole('button', { name: words.pay }).click()
  await typeCard(page, words, CARDS.good)
  await payButton(page, words).click()
  await expect(page.getByText(words.paid)).toBeVisible()
}

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
    language,
    words,
  }) => {
    const person = somebody()
    await speak(page, language)
    await signUp(page, words, person)
    await page.request.get(await server.mailLink(person.email))
    const app = await comeBack(page)
    await expectHome(app, words)
    await expect(app.getByText(words.noTransfers)).toBeVisible()
    await fillTransfer(app, words, { amount: '100' })
    await app.getByText('MTN Money').click()
    await pay(app, words)
    await expectOnePaid(server, person)
  })

/** From now on the server is shown a token that it does not take, until the app has made another. */
async function spoilToken(page: Page) {
  let spoilt: string | undefined
  await page.route(/netlify\/functions|documents:|documents\/|\/v0\/b\//, async (route) => {
    const headers = await route.request().allHeaders()
    const { authorization } = headers
    if (authorization && !authorization.startsWith('Bearer owner')) spoilt ??= authorization
    if (!spoilt || authorization !== spoilt) return route.continue()
    return route.continue({ headers: { ...headers, authorization: `${spoilt.slice(0, -8)}AAAAAAAA` } })
  })
}

test('a token that the device takes for good and the server does not is made anew, unseen, and charges once', async ({
  page,
  server,
  language,
  words,
}) => {
  const person = somebody()
  await server.register(person)
  await speak(page, language)
  await signIn(page, words, person)
  await expectHome(page, words)
  const renewals: string[] = []
  page.on('request', (request) => request.url().includes('/v1/token') && renewals.push(request.url()))
  await spoilToken(page)
  await fillTransfer(page, words, { amount: '100' })
  await page.getByText('MTN Money').click()
  await pay(page, words)
  await expectOnePaid(server, person)
  expect(renewals).toHaveLength(1)
})
