import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { BROKEN_CALL_ERRORS, expect, test } from './fixtures.ts'
import { registerAndOpenHome } from './steps/signIn.ts'
import { closeReceipt, fillTransfer, payWithCard, receiptSheet } from './steps/transfer.ts'
import { words } from './words.ts'

/** The server stores its data here, like `npm start`. */
const FILE = join('test-results', `kept-${crypto.randomUUID()}.json`)

test.use({ settings: { SANDBOX_SNAPSHOT: FILE }, expectedErrors: [BROKEN_CALL_ERRORS] })

async function pay(page: Page, amount: string) {
  await fillTransfer(page, { amount })
  await page.getByRole('button', { name: words.pay }).click()
  await payWithCard(page)
}

test('a server’s crash loses neither the payment nor the session @desk', async ({
  page,
  server,
  started,
}) => {
  const person = await registerAndOpenHome(page, server)
  await pay(page, '100')
  const receipt = receiptSheet(page)
  await expect(receipt.getByText(words.paid)).toBeVisible()
  await closeReceipt(page)

  const refusal = { kind: 'status', status: 503 }
  await server.addFault({ on: 'POST /.netlify/functions/record-transfer', times: 100, what: refusal })
  await server.addFault({ on: 'webhook', times: 100, what: { kind: 'late', ms: 600_000 } })
  await pay(page, '50')
  await expect(page.getByRole('dialog', { name: words.checking })).toBeVisible()
  const [second] = await server.listPaymentIntents(person.email)
  const charge = String(second?.latest_charge)
  await expect.poll(() => readFile(FILE, 'utf8').catch(String)).toContain(charge)
  await page.goto('about:blank')
  await started.crashAndRestart()

  await expect.poll(() => server.readTransactions(person.email)).toHaveLength(2)
  await page.goto('/')
  await expect(receipt).toContainText(second?.id ?? '')
  await closeReceipt(page)
  const activity = page.getByRole('region', { name: words.activity })
  await expect(activity.getByRole('button', { name: '+224' })).toHaveCount(2)
})
