import type { Page } from '@playwright/test'
import { BROKEN_CALLS, expect, type Server, test } from './fixtures.ts'
import type { Person } from './steps/people.ts'
import { confirmForm, fillTransfer, payButton, receiptSheet } from './steps/transfer.ts'
import { arriveHome } from './steps/waysIn.ts'
import { words } from './words.ts'

// The bank takes the whole page, and leads back to /payment-complete: what it says there proves nothing.
test.use({ expectedErrors: [BROKEN_CALLS] })

/** Somebody whose payment is prepared and who leaves the app for the bank. Answers the PaymentIntent's id. */
async function leaveForBank(page: Page, server: Server, person: Person) {
  await fillTransfer(page, { amount: '42,50' })
  await confirmForm(page)
  await expect(payButton(page)).toBeEnabled()
  await page.goto('about:blank')
  return (await server.paymentIntentsOf(person.email))[0]?.id ?? ''
}

const comeBack = (page: Page, id: string, said: 'succeeded' | 'failed') =>
  page.goto(`/payment-complete?payment_intent=${id}&redirect_status=${said}`)

test('back from the bank, a paid transfer shows its receipt, whatever the address says @spec-payment-return', async ({
  page,
  server,
}) => {
  const person = await arriveHome(page, server)
  const id = await leaveForBank(page, server, person)
  await server.stripe.paymentIntents.confirm(id, {
    payment_method: 'pm_card_visa',
    return_url: `${server.origin}/payment-complete`,
  })
  await comeBack(page, id, 'failed')
  await expect(receiptSheet(page)).toContainText(id)
  expect(await server.transactionsOf(person.email)).toMatchObject([{ amount: 41.22, fees: 1.28 }])
})

test('back from the bank, a transfer that was not paid is not called paid', async ({ page, server }) => {
  const person = await arriveHome(page, server)
  const id = await leaveForBank(page, server, person)
  await comeBack(page, id, 'succeeded')
  await expect(page.getByText(words.notFinished)).toBeVisible()
  await expect(page.getByLabel(words.amount)).toHaveValue('42,50')
  await expect(receiptSheet(page)).toBeHidden()
  expect(await server.transactionsOf(person.email)).toEqual([])
})

test('back from the bank, a transfer nobody knows the end of is being checked until somebody does', async ({
  page,
  server,
}) => {
  const person = await arriveHome(page, server)
  const id = await leaveForBank(page, server, person)
  await server.stripe.paymentIntents.confirm(id, {
    payment_method: 'pm_card_visa',
    return_url: `${server.origin}/payment-complete`,
  })
  // The provider's webhook meets the same trouble.
  const trouble = { times: 2, what: { kind: 'status', status: 503 } }
  await server.addFault({ on: 'POST /.netlify/functions/record-transfer', ...trouble })
  await comeBack(page, id, 'succeeded')
  await expect(page.getByRole('dialog', { name: words.checking })).toBeVisible()
  await expect(receiptSheet(page)).toContainText(id)
  expect(await server.pendingFaults()).toEqual([])
  expect(await server.transactionsOf(person.email)).toHaveLength(1)
})
