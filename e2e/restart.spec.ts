import { existsSync, readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { BROKEN_CALL_ERRORS, test as base, expect } from './fixtures.ts'
import { startServer } from './server.ts'
import { registerAndOpenHome } from './steps/signIn.ts'
import { closeReceipt, fillTransfer, payWithCard, receiptSheet } from './steps/transfer.ts'
import { words } from './words.ts'

/** Stores its data in a file, like `npm start`. */
const test = base.extend<
  object,
  {
    kept: {
      server: Awaited<ReturnType<typeof startServer>>['server']
      /** Empty before the first save. */
      text(): string
      /** Kills the server, as in a power cut, and restarts it on the same port. */
      crashAndStart(): Promise<void>
    }
  }
>({
  kept: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the fixtures from the pattern.
    async ({}, use) => {
      const folder = await mkdtemp(join(tmpdir(), 'passerelle-kept-'))
      const file = join(folder, 'sandbox.json')
      let running = await startServer({ SANDBOX_SNAPSHOT: file })
      const { server } = running
      await use({
        server,
        text: () => (existsSync(file) ? readFileSync(file, 'utf8') : ''),
        async crashAndStart() {
          await running.crash()
          running = await startServer({ SANDBOX_SNAPSHOT: file, PORT: new URL(server.origin).port })
        },
      })
      await running.crash()
      await rm(folder, { recursive: true })
    },
    { scope: 'worker' },
  ],
  server: [
    async ({ kept: { server } }, use) => {
      await use(server)
      expect(await server.listUnknownCalls(), 'calls that no emulator understood').toEqual([])
    },
    { scope: 'worker' },
  ],
})

test.use({ expectedErrors: [BROKEN_CALL_ERRORS] })

async function pay(page: Page, amount: string) {
  await fillTransfer(page, { amount })
  await page.getByRole('button', { name: words.pay }).click()
  await payWithCard(page)
}

test('a server’s crash loses neither the payment nor the session @desk', async ({ page, server, kept }) => {
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
  await expect.poll(() => kept.text()).toContain(charge)
  await page.goto('about:blank')
  await kept.crashAndStart()

  await expect.poll(() => server.readTransactions(person.email)).toHaveLength(2)
  await page.goto('/')
  await expect(receipt).toContainText(second?.id ?? '')
  await closeReceipt(page)
  const activity = page.getByRole('region', { name: words.activity })
  await expect(activity.getByRole('button', { name: '+224' })).toHaveCount(2)
})
