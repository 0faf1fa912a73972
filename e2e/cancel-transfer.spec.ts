import { expect, sceneTest, test } from './fixtures.ts'
import { readTransfer } from './steps/deliveries.ts'
import { openScene, setOffline } from './steps/scenes.ts'
import { registerAndOpenHome } from './steps/signIn.ts'
import { activityRows, closeReceipt, receiptSheet, sendMoney } from './steps/transfer.ts'
import { defineTexts } from './texts.ts'

test.use({ settings: { DELIVERY_PROVIDERS: 'mtn,byHand', CANCELLATION_WINDOW_SECONDS: '600' } })

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

test('a sender cancels from the receipt, and the charge is refunded', async ({ page, server }) => {
  const person = await registerAndOpenHome(page, server)
  await sendMoney(page, { amount: '100', phone: '+224 660 00 00 00' })
  const receipt = receiptSheet(page)
  await expect(receipt.getByRole('timer')).toBeVisible()
  const { id, delivery } = await readTransfer(server, person)
  expect(delivery).toMatchObject({ stage: 'ordered', isCancelable: true })

  await receipt.getByRole('button', { name: said.cancel, exact: true }).click()
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

sceneTest('canceling too late refers the sender to the support', async ({ page }) => {
  await openScene(page, 'receipt-cancel-too-late')
  const receipt = receiptSheet(page)
  await expect(receipt.getByText(said.tooLate)).toBeVisible()
  await expect(receipt.getByText(said.onItsWay)).toBeVisible()
  await expect(receipt.getByRole('link', { name: said.support })).toHaveAttribute('href', /^mailto:/)
})

sceneTest('canceling needs a network and a confirmation', async ({ page }) => {
  await openScene(page, 'receipt-cancelable-offline')
  const receipt = receiptSheet(page)
  const cancel = receipt.getByRole('button', { name: said.cancel, exact: true })
  await expect(receipt.getByText(said.needsNetwork)).toBeVisible()
  await expect(cancel).toBeDisabled()
  await setOffline(page, false)
  await expect(receipt.getByText(said.needsNetwork)).toBeHidden()
  // A press on the same place keeps the transfer.
  await cancel.click()
  await expect(receipt.getByText(said.question)).toBeVisible()
  await receipt.getByRole('button', { name: said.keep }).click()
  await expect(cancel).toBeVisible()
})
