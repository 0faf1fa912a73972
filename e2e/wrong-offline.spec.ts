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

test('a browser that wrongly reports no network can still pay', async ({ page, context, server }) => {
  await page.addInitScript(() => {
    Object.defineProperty(Navigator.prototype, 'onLine', { get: () => false })
    addEventListener('online', (event) => event.stopImmediatePropagation(), true)
  })
  const person = await registerAndOpenHome(page, server)
  await sendMoney(page, { amount: '42,50' })
  await closeReceipt(page)
  await expect(activityRows(page)).toHaveCount(1)
  await expect(page.getByText(words.offlineBar)).toBeHidden()

  await fillTransfer(page, { amount: '60' })
  await context.setOffline(true)
  await expect(page.getByText(words.offlineBar)).toBeVisible()
  await confirmForm(page)
  await expect(page.getByText(words.offline).first()).toBeVisible()
  expect(await server.listPaymentIntents(person.email)).toHaveLength(1)
  await context.setOffline(false)
  await confirmForm(page)
  await payAndExpectReceipt(page)
  await expect(page.getByText(words.offlineBar)).toBeHidden()
  await closeReceipt(page)
  await openPlans(page)
  await subscribeTo(page, 'premium')
  await expect(page.locator('[name=number]')).toBeVisible()
})
