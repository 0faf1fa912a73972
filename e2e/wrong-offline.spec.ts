import { BROKEN_CALL_ERRORS, expect, test } from './fixtures.ts'
import { openPlans, subscribeTo } from './steps/plans.ts'
import { registerAndOpenHome } from './steps/signIn.ts'
import {
  activityRows,
  closeReceipt,
  confirmForm,
  fillTransfer,
  payAndExpectReceipt,
  sendMoney,
} from './steps/transfer.ts'
import { words } from './words.ts'

// Some browsers report no network while it works, and fire no event when it returns.
test.use({ expectedErrors: [BROKEN_CALL_ERRORS] })

test.beforeEach(({ page }) =>
  page.addInitScript(() => {
    Object.defineProperty(Navigator.prototype, 'onLine', { get: () => false })
    addEventListener('online', (event) => event.stopImmediatePropagation(), true)
  }),
)

test('a browser that wrongly reports no network can still pay', async ({ page, server }) => {
  await registerAndOpenHome(page, server)
  await sendMoney(page, { amount: '42,50' })
  await closeReceipt(page)
  await expect(activityRows(page)).toHaveCount(1)
  await expect(page.getByText(words.offlineBar)).toBeHidden()
  await openPlans(page)
  await subscribeTo(page, 'premium')
  await expect(page.locator('[name=number]')).toBeVisible()
})

test('paying offline keeps the form until the network is back', async ({ page, context, server }) => {
  const person = await registerAndOpenHome(page, server)
  await fillTransfer(page, { amount: '42,50' })
  await expect(page.getByRole('main').getByRole('button', { name: words.pay })).toBeEnabled()
  await context.setOffline(true)
  await expect(page.getByText(words.offlineBar)).toBeVisible()
  await confirmForm(page)
  await expect(page.getByText(words.offline).first()).toBeVisible()
  expect(await server.listPaymentIntents(person.email)).toEqual([])
  await context.setOffline(false)
  await page.getByRole('main').getByRole('button', { name: words.pay }).click()
  await payAndExpectReceipt(page)
  await expect(page.getByText(words.offlineBar)).toBeHidden()
})
