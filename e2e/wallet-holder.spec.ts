import type { Page } from '@playwright/test'
import { buildPaidTransfer } from '../scenes/transactions.ts'
import { BROKEN_CALL_ERRORS, expect, sceneTest, test, WITH_PAYOUTS } from './fixtures.ts'
import { expectNoticeTexts } from './steps/moneyTexts.ts'
import { waitUntilDrawn } from './steps/rendering.ts'
import { openScene, setOffline } from './steps/scenes.ts'
import { registerAndOpenHome } from './steps/signIn.ts'
import { confirmForm, fillTransfer, payButton } from './steps/transfer.ts'
import { getText } from './texts.ts'
import { words } from './words.ts'

test.use({ settings: WITH_PAYOUTS, expectedErrors: [BROKEN_CALL_ERRORS] })

/** MTN's test numbers: without an account, with an account. */
const NOBODYS = '+224 660 00 04 50'
const SOMEBODYS = '+224 660 00 04 80'

const NO_WALLET = [
  '{provider} ne connaît aucun portefeuille à ce numéro.',
  'Rien n’a été payé. Vérifiez le numéro, ou choisissez un autre portefeuille.',
]

const holder = (page: Page) => page.locator('[data-holder]')

test('a number without a wallet is refused before the charge @desk', async ({ page, server }) => {
  const person = await registerAndOpenHome(page, server)
  await fillTransfer(page, { amount: '100', phone: NOBODYS })
  for (const id of NO_WALLET) await expect(holder(page)).toContainText(getText(id, { provider: 'MTN' }))
  // Orange is paid out by hand, so its wallets are not looked up.
  await page.getByRole('radio', { name: 'Orange Money' }).check()
  await expect(holder(page)).toHaveCount(0)
  await page.getByRole('radio', { name: 'MTN Money' }).check()
  await expect(holder(page)).toHaveAttribute('data-holder', 'none')
  await page.getByLabel(words.confirmPhone).check()
  await confirmForm(page)
  await expectNoticeTexts(
    page,
    'Ce numéro n’a pas ce portefeuille | Votre carte n’a pas été débitée. Vérifiez le numéro, ou choisissez un autre portefeuille.',
  )
  expect(await server.listPaymentIntents(person.email)).toEqual([])
  await page.getByLabel(words.phone).fill(SOMEBODYS)
  await expect(holder(page)).toHaveAttribute('data-holder', 'named')
  await page.getByLabel(words.confirmPhone).check()
  await confirmForm(page)
  await expect(payButton(page)).toBeVisible()
})

sceneTest('a lookup without a name shows no text @desk', async ({ page }) => {
  await openScene(page, 'home-filled', { delays: { 500: 0 } })
  await page.getByLabel(words.phone).fill(SOMEBODYS)
  await page.getByRole('radio', { name: 'MTN Money' }).check()
  await expect(page.locator('[data-holder="silent"]')).toHaveText('')
})

sceneTest('holders are looked up online only, and not for known numbers @desk', async ({ page }) => {
  const known = { recipientPhone: '+224660000481', receivingMethod: 'mtn_money' } as const
  await openScene(page, 'home-empty', {
    device: {},
    delays: { 500: 0 },
    rows: { transactions: [buildPaidTransfer(24, { id: 'pi_1', ...known })] },
    responses: { 'holders.fetchWalletHolder': { value: { kind: 'named', name: 'Mariama B.' } } },
  })
  await page.getByLabel(words.phone).fill('+224 660 00 04 81')
  await expect(page.getByLabel('MTN Money')).toBeChecked()
  await page.getByLabel(words.confirmPhone).check()
  await expect(page.getByText('Mariama B.')).toBeHidden()
  await setOffline(page, true)
  await page.getByLabel(words.phone).fill(SOMEBODYS)
  await expect(page.getByText(getText('Premier envoi à ce numéro. Relisez chaque chiffre :'))).toBeVisible()
  await waitUntilDrawn(page)
  await expect(page.getByText('Mariama B.')).toBeHidden()
  await setOffline(page, false)
  await expect(page.getByText('Mariama B.')).toBeVisible()
})
