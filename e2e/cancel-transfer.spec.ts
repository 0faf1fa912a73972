import { BROKEN_CALL_ERRORS, expect, test } from './fixtures.ts'
import { readTransfer } from './steps/deliveries.ts'
import { registerAndOpenHome } from './steps/signIn.ts'
import {
  activityRows,
  closeReceipt,
  confirmForm,
  fillTransfer,
  payAndExpectReceipt,
  receiptSheet,
  sendMoney,
} from './steps/transfer.ts'
import { defineTexts } from './texts.ts'
import { words } from './words.ts'

test.use({
  settings: { DELIVERY_PROVIDERS: 'mtn,byHand', CANCELLATION_WINDOW_SECONDS: '600' },
  expectedErrors: [BROKEN_CALL_ERRORS],
})

const said = defineTexts({
  cancel: 'Annuler le transfert',
  confirm: 'Oui, annuler le transfert',
  question:
    'Le bénéficiaire ne recevra rien, et tout sera remboursé sur votre carte, frais compris, souvent en 5 à 10 jours. Si rien n’arrive en 14 jours, contactez notre assistance.',
  keep: 'Garder le transfert',
  needsNetwork: 'Il faut un réseau pour annuler ce transfert.',
  canceled: 'Vous avez annulé ce transfert.',
  refund:
    'Le bénéficiaire n’a rien reçu. Tout est remboursé sur votre carte, frais compris, souvent en 5 à 10 jours. Si rien n’arrive en 14 jours, contactez notre assistance.',
  canceledInRow: 'Annulé',
  tooLate: 'Ce transfert ne peut plus être annulé.',
  onItsWay:
    'Sa remise au bénéficiaire a déjà commencé. Si le numéro est faux, contactez tout de suite notre assistance avec le numéro du transfert.',
  support: 'Écrire à notre assistance',
})

test('a sender cancels from the receipt, and the charge is refunded', async ({ page, context, server }) => {
  const person = await registerAndOpenHome(page, server)
  await sendMoney(page, { amount: '100', phone: '+224 660 00 00 00' })
  const receipt = receiptSheet(page)
  const cancel = receipt.getByRole('button', { name: said.cancel, exact: true })
  await expect(receipt.getByRole('timer')).toBeVisible()
  const { id, delivery } = await readTransfer(server, person)
  expect(delivery).toMatchObject({ stage: 'ordered', isCancelable: true })

  await context.setOffline(true)
  await expect(receipt.getByText(said.needsNetwork)).toBeVisible()
  await expect(cancel).toBeDisabled()
  await context.setOffline(false)
  await expect(receipt.getByText(said.needsNetwork)).toBeHidden()

  // A press on the same place keeps the transfer.
  await cancel.click()
  await expect(receipt.getByText(said.question)).toBeVisible()
  await receipt.getByRole('button', { name: said.keep }).click()
  await cancel.click()
  await receipt.getByRole('button', { name: said.confirm }).click()
  await expect(receipt.getByText(said.canceled)).toBeVisible()
  await expect(receipt.getByText(said.refund)).toBeVisible()
  await expect(receipt.locator('[data-color="red"]')).toHaveText(said.canceledInRow)
  await expect(receipt.getByRole('timer')).toBeHidden()
  await closeReceipt(page)
  await expect(activityRows(page).first()).toContainText(said.canceledInRow)

  expect(await readTransfer(server, person)).toMatchObject({
    status: 'canceled',
    delivery: { stage: 'paidBack', isCancelable: false },
  })
  const { data: refunds } = await server.stripe.refunds.list({ payment_intent: id })
  expect(refunds).toMatchObject([{ amount: 10_000, status: 'succeeded' }])
  expect(await server.readLedgers(person.email)).toMatchObject([{ recordedCents: 0, reservedCents: 0 }])
})

test('canceling a claimed transfer refers its sender to the support', async ({ page, server }) => {
  const person = await registerAndOpenHome(page, server)
  await fillTransfer(page, { amount: '100', phone: '+224 620 00 00 00' })
  await page.getByRole('radio', { name: 'Orange Money' }).check()
  await page.getByLabel(words.confirmPhone).check()
  await confirmForm(page)
  await payAndExpectReceipt(page)
  const receipt = receiptSheet(page)
  await receipt.getByRole('button', { name: said.cancel, exact: true }).click()
  await expect(receipt.getByRole('timer')).toBeHidden()
  await page.route(/documents:batchGet/, (route) => route.abort())
  const { id } = await readTransfer(server, person)
  const claimed = await fetch(`${server.origin}/sandbox/deliveries/${id}`, {
    method: 'POST',
    body: new URLSearchParams({ command: 'claim' }),
    redirect: 'manual',
  })
  expect(claimed.status).toBe(303)
  await receipt.getByRole('button', { name: said.confirm }).click()
  await expect(receipt.getByText(said.tooLate)).toBeVisible()
  await expect(receipt.getByText(said.onItsWay)).toBeVisible()
  await expect(receipt.getByRole('link', { name: said.support })).toHaveAttribute('href', /^mailto:/)
  expect((await readTransfer(server, person)).status).toBe('completed')
  const { data: refunds } = await server.stripe.refunds.list({ payment_intent: id })
  expect(refunds).toEqual([])
})
