import type { Page } from '@playwright/test'
import { BROKEN_CALL_ERRORS, expect, type Server, test } from './fixtures.ts'
import type { Person } from './steps/person.ts'
import { registerAndOpenHome, signIn } from './steps/signIn.ts'
import { fillTransfer, openCardForm, receiptSheet } from './steps/transfer.ts'
import { getText } from './texts.ts'
import { words } from './words.ts'

// The bank's page replaces the app and returns to /payment-complete, whose parameters prove nothing.
test.use({ expectedErrors: [BROKEN_CALL_ERRORS] })

/** Returns the PaymentIntent ID. */
async function leaveForBank(page: Page, server: Server, person: Person) {
  await fillTransfer(page, { amount: '42,50' })
  await openCardForm(page)
  await page.goto('about:blank')
  return (await server.listPaymentIntents(person.email))[0]?.id ?? ''
}

/** Returns the PaymentIntent ID. */
async function payAtBank(page: Page, server: Server, person: Person) {
  const id = await leaveForBank(page, server, person)
  await server.stripe.paymentIntents.confirm(id, {
    payment_method: 'pm_card_visa',
    return_url: `${server.origin}/payment-complete`,
  })
  return id
}

const comeBack = (page: Page, id: string, said: 'succeeded' | 'failed') =>
  page.goto(`/payment-complete?payment_intent=${id}&redirect_status=${said}`)

test('the return shows a paid transfer’s receipt, whatever the URL says @spec-payment-return', async ({
  page,
  server,
}) => {
  const person = await registerAndOpenHome(page, server)
  const id = await payAtBank(page, server, person)
  await comeBack(page, id, 'failed')
  await expect(receiptSheet(page)).toContainText(id)
  expect(await server.readTransactions(person.email)).toMatchObject([{ amount: 41.22, fees: 1.28 }])
})

const LOOKED_UP = [
  'Nous vérifions votre paiement',
  'Ne payez pas une seconde fois. Connectez-vous : vous verrez ce qui a été payé, ou que rien n’a été débité.',
]

test('a return in another browser shows the receipt after the sign-in', async ({ page, browser, server }) => {
  const person = await registerAndOpenHome(page, server)
  const id = await payAtBank(page, server, person)
  const other = await browser.newPage({ baseURL: server.origin })
  await comeBack(other, id, 'succeeded')
  for (const text of LOOKED_UP) await expect(other.getByText(getText(text))).toBeVisible()
  await signIn(other, person)
  await expect(receiptSheet(other)).toContainText(id)
  await expect(other).toHaveURL(`${server.origin}/`)
  expect(await server.readTransactions(person.email)).toHaveLength(1)
  await other.close()
})

test('a plan’s return in another browser warns against paying again @all', async ({ page }) => {
  await page.goto('/settings?session_id=cs_test_1')
  for (const text of LOOKED_UP) await expect(page.getByText(getText(text))).toBeVisible()
})

test('the return never reports an unpaid transfer as paid', async ({ page, server }) => {
  const person = await registerAndOpenHome(page, server)
  const id = await leaveForBank(page, server, person)
  await comeBack(page, id, 'succeeded')
  await expect(page.getByText(words.notFinished)).toBeVisible()
  await expect(page.getByLabel(words.amount)).toHaveValue('42,50')
  await expect(receiptSheet(page)).toBeHidden()
  expect(await server.readTransactions(person.email)).toEqual([])
})

test('the return checks an unknown outcome until it is known @all', async ({ page, server }) => {
  const person = await registerAndOpenHome(page, server)
  const id = await payAtBank(page, server, person)
  // The provider's webhook fails in the same way.
  const trouble = { times: 2, what: { kind: 'status', status: 503 } }
  await server.addFault({ on: 'POST /.netlify/functions/record-transfer', ...trouble })
  // Holds the call that succeeds until the test has seen the dialog, which that call closes.
  const seen = Promise.withResolvers<void>()
  let calls = 0
  await page.route('**/record-transfer', async (route) => {
    calls += 1
    if (calls > trouble.times) await seen.promise
    await route.fallback()
  })
  await comeBack(page, id, 'succeeded')
  await expect(page.getByRole('dialog', { name: words.checking })).toBeVisible()
  seen.resolve()
  await expect(receiptSheet(page)).toContainText(id)
  expect(await server.listPendingFaults()).toEqual([])
  expect(await server.readTransactions(person.email)).toHaveLength(1)
})
