import type { Page } from '@playwright/test'
import { buildReserveAnswer } from '../machines/testing/transferSituations.ts'
import { MARIAMA } from '../scenes/fixtures.ts'
import type { SceneRows } from '../scenes/scene.ts'
import { buildPaidTransfer, HISTORY } from '../scenes/transactions.ts'
import { expect, sceneTest } from './fixtures.ts'
import { contactWords } from './steps/contacts.ts'
import { answerHistory } from './steps/history.ts'
import { expectHeadingFocused, openFromMenu, pressKey } from './steps/pages.ts'
import { openScene, releaseCode, setResponse } from './steps/scenes.ts'
import { confirmForm, fillTransfer, readSavedDrafts, typeCoupon } from './steps/transfer.ts'
import { defineTexts, getTestLanguage, getText } from './texts.ts'
import { words } from './words.ts'

const said = defineTexts({
  who: 'À qui ?',
  other: 'Autre',
  name: 'Nom du bénéficiaire (facultatif)',
  seems: () => (operatorName: string) =>
    getText('Ce numéro semble être chez {operatorName}.', { operatorName }),
  question: 'Est-ce bien ce numéro ?',
  yes: 'Oui, c’est bien ce numéro',
  jamaica: () =>
    getText('L’indicatif {area} n’est pas canadien ({place}).', {
      ...{ area: '876', place: getTestLanguage() === 'fr' ? 'Jamaïque' : 'Jamaica' },
    }),
  onlyCanada: 'Interac ne verse que sur un compte au Canada.',
  noSuchNumber: 'Aucun numéro canadien ne s’écrit ainsi. Relisez chaque chiffre.',
  notMobile: () => (beginnings: string) =>
    getText('Ce n’est pas un numéro de mobile : les mobiles commencent par {beginnings}.', { beginnings }),
})

const ROWS: SceneRows = {
  contacts: [MARIAMA],
  transactions: [
    buildPaidTransfer(24, {
      ...{
        id: 'pi_1',
        recipientPhone: MARIAMA.phone,
        receivingMethod: 'mtn_money',
        amount: 145.5,
        fees: 4.5,
      },
    }),
    { ...HISTORY[3], ...{ amount: 40, fees: 1.5, sourceCurrency: 'CAD', exchangeRate: 1 } },
  ],
}
const LOADS = ['transactions.fetchHistory', 'contacts.fetchContacts']

const row = (page: Page) => page.getByRole('group', { name: said.who })

async function deleteContact(page: Page) {
  await openFromMenu(page, words.contacts)
  await page.getByRole('button', { name: contactWords.edit }).click()
  await page.getByRole('button', { name: contactWords.remove }).click()
  await page.getByRole('dialog').getByRole('button', { name: contactWords.reallyRemove, exact: true }).click()
}

sceneTest('the card form is three presses away @spec-three-presses @desk', async ({ page }) => {
  const RESERVE = 'functions.create-payment-intent'
  const responses = { [RESERVE]: { value: buildReserveAnswer().value } }
  await openScene(page, 'home-activity', { rows: ROWS, responses })
  await page.evaluate(() => {
    Object.assign(window, { presses: 0 })
    const count = () => Object.assign(window, { presses: Reflect.get(window, 'presses') + 1 })
    addEventListener('pointerdown', count, true)
    addEventListener('keydown', count, true)
  })
  await row(page).getByRole('button', { name: 'Mariama Bah' }).click()
  await page.getByLabel(words.confirmPhone).check()
  await confirmForm(page)
  await expect(page.getByRole('dialog').getByText('+224 664 11 22 33')).toBeVisible()
  await expect(page.getByRole('dialog').getByLabel(words.cardNumber)).toBeVisible()
  expect(await page.evaluate(() => Reflect.get(window, 'presses'))).toBe(3)
})

sceneTest('a tap on a recipient fills in all but the confirmation @desk', async ({ page, language }) => {
  const responses = Object.fromEntries(LOADS.map((call) => [call, 'held' as const]))
  await openScene(page, 'home-empty', { rows: ROWS, device: {}, responses })
  const mariama = row(page).getByRole('button', { name: 'Mariama Bah' })
  const canada = row(page).getByRole('button', { name: '+1 514 555 0123' })
  await expect(mariama).toHaveText(/^MB\s*Mariama/)
  await expect(canada).toHaveText(/^0123\s*Canada/)
  await typeCoupon(page, 'ZERO')

  await mariama.click()
  await expect(page.getByLabel(words.amount)).toHaveValue('150')
  await expect(page.getByLabel(words.currency)).toHaveValue('EUR')
  await expect(page.getByLabel(words.country)).toHaveValue('GN')
  await expect(page.getByLabel(words.phone)).toHaveValue('+224 664 11 22 33')
  await expect(page.getByLabel('MTN Money')).toBeChecked()
  await expect(mariama).toHaveAttribute('aria-pressed', 'true')
  await expect(canada).toHaveAttribute('aria-pressed', 'false')
  await page.getByLabel(words.confirmPhone).check()

  // A canceled transfer counts too.
  await pressKey(canada, 'Space')
  await expect(page.getByLabel(words.amount)).toHaveValue(language === 'fr' ? '41,50' : '41.50')
  await expect(page.getByLabel(words.currency)).toHaveValue('CAD')
  await expect(page.getByLabel(words.country)).toHaveValue('CA')
  await expect(page.getByLabel('Interac')).toBeChecked()
  await expect(page.getByTestId('quote').getByRole('button')).toContainText('ZERO')
  await expect(page.getByLabel(words.confirmPhone)).not.toBeChecked()
  await expect(page.getByRole('main').getByRole('button', { name: words.pay })).toBeDisabled()

  await row(page).getByRole('button', { name: said.other }).click()
  await expect(page.getByLabel(words.phone)).toBeFocused()
  await expect(page.getByLabel(words.phone)).toHaveValue('')
  await expect(canada).toHaveAttribute('aria-pressed', 'false')
})

sceneTest('late recipients, or their late code, do not move the form @desk', async ({ page }) => {
  const amountTop = async () => (await page.getByLabel(words.amount).boundingBox())?.y
  const responses = Object.fromEntries(LOADS.map((call) => [call, 'held' as const]))
  await openScene(page, 'home-empty', { device: {}, responses, heldCode: 'recipientParts' })
  await expect(row(page)).toBeHidden()
  const top = await amountTop()
  await releaseCode(page)
  await expect(row(page).getByRole('button')).toHaveCount(1)
  expect(await amountTop()).toBe(top)
  const { transactions = [], contacts = [] } = ROWS
  await setResponse(page, 'transactions.fetchHistory', answerHistory(transactions))
  await setResponse(page, 'contacts.fetchContacts', { value: contacts })
  await expect(row(page).getByRole('button')).toHaveCount(3)
  expect(await amountTop()).toBe(top)
})

sceneTest('the first contact brings the row, its deletion removes it @desk @all', async ({ page }) => {
  const sheet = page.getByRole('dialog')
  await openScene(page, 'home-empty', { responses: { 'contacts.createContact': { value: MARIAMA } } })
  await page.getByRole('button', { name: contactWords.choose }).click()
  await sheet.getByRole('button', { name: contactWords.add }).click()
  await sheet.getByLabel(contactWords.name).fill('Mariama Bah')
  await sheet.getByLabel(words.phoneNumber).fill(MARIAMA.phone)
  await sheet.getByRole('button', { name: contactWords.save }).click()
  await expect(page.getByLabel(words.phone)).toHaveValue('+224 664 11 22 33')
  // The row would move the form that the user is filling in.
  await expect(row(page)).toBeHidden()

  const responses = { 'contacts.deleteContact': { value: undefined } }
  await openScene(page, 'home-empty', { device: {}, rows: { contacts: ROWS.contacts ?? [] }, responses })
  await expect(row(page).getByRole('button', { name: 'Mariama Bah' })).toBeVisible()
  await deleteContact(page)
  await expect(page.getByRole('main').getByText('Mariama Bah')).toHaveCount(0)
  await page.goBack()
  await expect(row(page)).toBeHidden()
})

sceneTest('an unlikely number is confirmed once @spec-unlikely-number @desk', async ({ page, language }) => {
  const pay = page.getByRole('main').getByRole('button', { name: words.pay })
  const question = page.getByRole('main').getByText(said.question)
  await openScene(page, 'home-number-asked')
  await expect(page.getByText(said.jamaica)).toBeVisible()
  await expect(page.getByText(said.onlyCanada)).toBeVisible()
  await expect(pay).toBeDisabled()

  await page.getByLabel(words.phone).fill('514 911 0123')
  await expect(page.getByText(said.noSuchNumber)).toBeVisible()
  await fillTransfer(page, { amount: '100', phone: '514 555 0123' })
  await expect(question).toBeHidden()
  await expect(page.getByLabel(said.name)).toBeVisible()
  await expect(pay).toBeEnabled()

  await fillTransfer(page, { amount: '100', phone: '876 555 0123' })
  await page.getByRole('button', { name: said.yes }).click()
  await expect(page.getByLabel(words.confirmPhone)).toBeFocused()
  await expect(question).toBeHidden()
  await expect(pay).toBeEnabled()

  for (const [country, phone, beginnings] of [
    ['GN', '304 12 34 56', '+224 6'],
    ['FR', '01 23 45 67 89', language === 'fr' ? '+33 6 ou +33 7' : '+33 6 or +33 7'],
  ] as const) {
    await page.getByLabel(words.country).selectOption(country)
    await fillTransfer(page, { amount: '100', phone })
    await expect(page.getByText(said.notMobile(beginnings))).toBeVisible()
    await expect(pay).toBeDisabled()
  }
  await page.getByLabel(words.phone).fill('06 12 34 56 78')
  await expect(question).toBeHidden()

  const transactions = [{ ...HISTORY[3], recipientPhone: '+18765550123', status: 'completed' }]
  await openScene(page, 'home-activity', { rows: { transactions } })
  await page.getByLabel(words.country).selectOption('CA')
  await fillTransfer(page, { amount: '101', phone: '876 555 0123' })
  await expect(page.getByLabel(said.name)).toBeHidden()
  await expect(pay).toBeEnabled()
  await expect(question).toBeHidden()
})

sceneTest('a landline number must be confirmed again after a reload @desk', async ({ page }) => {
  const pay = page.getByRole('main').getByRole('button', { name: words.pay })
  await openScene(page, 'home-empty')
  await fillTransfer(page, { amount: '100', phone: '304 12 34 56' })
  await page.getByRole('button', { name: said.yes }).click()
  await expect(pay).toBeEnabled()
  const isSaved = async () => (await readSavedDrafts(page))?.[0]?.draft.phoneConfirmed
  await expect.poll(isSaved).toBe(true)

  await openScene(page, 'home-empty', { rows: { drafts: (await readSavedDrafts(page)) ?? [] } })
  await expect(page.getByLabel(words.phone)).toHaveValue('+224 304 12 34 56')
  await expect(page.getByText(said.notMobile('+224 6'))).toBeVisible()
  await expect(page.getByLabel(words.confirmPhone)).not.toBeChecked()
  await expect(pay.and(page.locator(':enabled'))).toBeHidden()
})

sceneTest('the wallet of a number’s operator is preselected or suggested @desk', async ({ page }) => {
  const [orange, mtn] = [page.getByLabel('Orange Money'), page.getByLabel('MTN Money')]
  await openScene(page, 'home-empty')
  await page.getByLabel(words.phone).fill('664 11 22 33')
  await expect(mtn).toBeChecked()
  await page.getByLabel(words.phone).fill('620 00 00 00')
  await expect(orange).toBeChecked()
  await expect(page.getByText(said.seems('MTN'))).toBeHidden()

  await mtn.check()
  await expect(page.getByText(said.seems('Orange'))).toBeVisible()
  await page.getByLabel(words.phone).fill('620 00 00 01')
  await expect(mtn).toBeChecked()
  await page
    .getByRole('button', { name: getText('Choisir plutôt : {name}', { name: 'Orange Money' }) })
    .click()
  await expect(orange).toBeChecked()
  await expect(page.getByText(said.seems('Orange'))).toBeHidden()
  await expectHeadingFocused(page)
})
