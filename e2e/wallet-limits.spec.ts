import type { Page } from '@playwright/test'
import { getAppFolder } from '../build/build.ts'
import { BROKEN_CALL_ERRORS, expect, sceneTest, test } from './fixtures.ts'
import { expectNoticeTexts, formatAmountText } from './steps/moneyTexts.ts'
import { pressKey } from './steps/pages.ts'
import { openScene } from './steps/scenes.ts'
import { registerAndOpenHome } from './steps/signIn.ts'
import { closePrice, confirmForm, fillTransfer, openPrice, payAndExpectReceipt } from './steps/transfer.ts'
import { getTestLanguage, getText } from './texts.ts'
import { words } from './words.ts'

test.use({
  settings: {
    VITE_WALLET_TARIFFS: JSON.stringify({ mtn_money: { since: '2026-11-01', limit: 4_000_000 } }),
    // The app is built without the limit, like that of a tab opened before it.
    SANDBOX_APP: getAppFolder('sandbox'),
  },
  expectedErrors: [BROKEN_CALL_ERRORS],
})

const TO_MTN = '+224 660 00 04 80'
const getLimitTexts = () => ({ name: 'MTN Money', max: formatAmountText(4_000_000, 'GNF') })

const getProposal = (page: Page) =>
  page.getByRole('button', {
    name: getText('Choisir plutôt {lowerAmount}', { lowerAmount: formatAmountText(38_902) }),
  })
const getProposedValue = () => (getTestLanguage() === 'fr' ? '389,02' : '389.02')
const getMainPayButton = (page: Page) =>
  page
    .getByRole('main')
    .getByRole('button', { name: getText('Payer {gross}', { gross: formatAmountText(38_902) }) })

sceneTest('the form names a wallet’s limit and fills in what fits @both', async ({ page }) => {
  await openScene(page, 'wallet-limit')
  const amount = page.getByLabel(words.amount)
  await expect(amount).toHaveAccessibleDescription(
    getText('{name} accepte au plus {max} par transfert', getLimitTexts()),
  )
  await pressKey(getProposal(page))
  await expect(amount).toHaveValue(getProposedValue())
  await expect(amount).not.toHaveAttribute('aria-invalid')
  // The number is not confirmed yet, so the pressed button is disabled now.
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused()
  await expect(getMainPayButton(page)).toBeDisabled()
  await pressKey(page.getByLabel(words.confirmPhone), 'Space')
  await expect(getMainPayButton(page)).toBeEnabled()
})

sceneTest('form and price show the rest after a dated cash-out tariff @both', async ({ page, language }) => {
  await openScene(page, 'wallet-cash-out')
  const amount = formatAmountText(1_017_918, 'GNF')
  const date = language === 'fr' ? '1er novembre 2026' : '1 November 2026'
  const said = getText('Environ {amount} en main après le retrait (tarif du {date})', { amount, date })
  await expect(page.getByText(said)).toBeVisible()
  await expect(await openPrice(page)).toContainText(said)
  await closePrice(page)
  await page.getByRole('radio', { name: 'Orange Money' }).check()
  await expect(page.getByText(amount)).toBeHidden()
})

test('the function refuses an amount above the limit @spec-wallet-limit', async ({ page, server }) => {
  const person = await registerAndOpenHome(page, server)
  await fillTransfer(page, { amount: '500', phone: TO_MTN })
  await confirmForm(page)
  await expectNoticeTexts(
    page,
    '{name} accepte au plus {max} par transfert | Votre carte n’a pas été débitée. Envoyez moins, ou choisissez un autre portefeuille.',
    getLimitTexts(),
  )
  expect(await server.listPaymentIntents(person.email)).toEqual([])
  await getProposal(page).click()
  await expect(page.getByLabel(words.amount)).toHaveValue(getProposedValue())
  expect(await server.listPaymentIntents(person.email)).toEqual([])
  await getMainPayButton(page).click()
  await payAndExpectReceipt(page)
})
