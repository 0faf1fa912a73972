import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { NO_COVERAGE } from '../domain/records/historyCoverage.ts'
import { ARRIVED_DELIVERY } from '../domain/transfers/transaction.samples.ts'
import { SCENE_TIME, type SceneRows } from '../scenes/scene.ts'
import { buildPaidTransfer } from '../scenes/transactions.ts'
import { BROKEN_CALL_ERRORS, expect, sceneTest, test } from './fixtures.ts'
import { answerHistory, buildStoredTransfer, HISTORY_NOW, registerWithTransfers } from './steps/history.ts'
import { NO_NETWORK } from './steps/moneyTexts.ts'
import { openFromMenu, openSetting } from './steps/pages.ts'
import { openScene, releaseCode, setResponse } from './steps/scenes.ts'
import { openSignedInHome } from './steps/signIn.ts'
import { buildTextPattern, defineTexts, getText } from './texts.ts'
import { words } from './words.ts'

test.use({ expectedErrors: [BROKEN_CALL_ERRORS] })

const said = defineTexts({
  statement: 'Relevé mensuel',
  month: 'Mois',
  pdf: 'Télécharger le relevé (PDF)',
  csv: 'Télécharger pour un tableur (CSV)',
  transfers: 'Transferts, frais compris',
  refunds: 'dont remboursés ou à rembourser',
  note: 'Les totaux ne comptent que les paiements effectués. Un remboursement compte dans le mois de son paiement, et peut manquer s’il est tardif.',
  ready: 'Le fichier est prêt.',
  none: 'Aucun paiement ce mois-ci.',
  incomplete: 'Ce relevé serait incomplet',
  missing: 'Cet appareil n’a pas tous vos paiements de ce mois. Ils seront lus dès que le réseau le permet.',
  provisional: () => buildTextPattern('Relevé provisoire : paiements connus le {until}.'),
})

const choose = (page: Page, month: string) => page.getByLabel(said.month).selectOption(month)

async function download(page: Page, name: string) {
  const begun = page.waitForEvent('download')
  await page.getByRole('button', { name }).click()
  const file = await begun
  return { name: file.suggestedFilename(), bytes: await readFile(await file.path()) }
}

test('a statement is made offline as PDF and CSV', async ({ page, server, language }) => {
  await page.clock.setFixedTime(HISTORY_NOW)
  const person = await registerWithTransfers(server, 18)
  const refunded = buildStoredTransfer(person.uid, 1, {
    delivery: { ...ARRIVED_DELIVERY, stage: 'paidBack' },
  })
  await server.write(`transactions/${refunded.id}`, refunded)
  await openSignedInHome(page, server, person)
  await openFromMenu(page, words.settings)
  await openSetting(page, said.statement)
  await choose(page, '2026-11')
  await expect(page.getByText(said.provisional)).toBeVisible()
  // Loads the code and the fonts, which a service worker would keep.
  for (const name of [said.csv, said.pdf]) await download(page, name)
  await page.context().setOffline(true)
  // Fifteen transfers on the first fifteen days, of 20 to 34 EUR; the one of 23 EUR is pending.
  const total = language === 'fr' ? /382,00\s€/ : '€382.00'
  await expect(page.locator('dl').filter({ hasText: said.transfers }).locator('dd').first()).toHaveText(total)

  const refunds = page.locator('dl > div').filter({ hasText: said.refunds }).locator('dd')
  await expect(refunds).toHaveText(language === 'fr' ? /21,00\s€/ : '€21.00')
  await expect(page.getByText(said.note)).toBeVisible()

  const csv = await download(page, said.csv)
  const provisional = `passerelle-2026-11-${language === 'fr' ? 'provisoire' : 'provisional'}`
  expect(csv.name).toBe(`${provisional}.csv`)
  const [head, ...rows] = csv.bytes.toString('utf8').trimEnd().split('\r\n')
  expect(head).toMatch(/^\ufeff.*Europe\/Paris/)
  expect(rows).toHaveLength(15)
  expect(rows[0]).toContain(language === 'fr' ? ';34,00;3,50;"EUR";' : ',34.00,3.50,"EUR",')

  const pdf = await download(page, said.pdf)
  expect(pdf.name).toBe(`${provisional}.pdf`)
  expect(pdf.bytes.subarray(0, 5).toString()).toBe('%PDF-')
})

sceneTest('an open statement is printed alone, in black on white', async ({ page }) => {
  await openScene(page, 'statement')
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' })
  await expect(page.getByRole('dialog').locator('dd').first()).toHaveCSS('color', 'rgb(0, 0, 0)')
  await expect(page.getByText(getText('Paramètres')).first()).toBeHidden()
})

sceneTest('a month with missing payments has no statement yet', async ({ page }) => {
  const FETCH = 'transactions.fetchHistory'
  const rows: SceneRows = {
    sync: [{ id: 'history', asOf: SCENE_TIME, ...NO_COVERAGE }],
    fetched: [{ id: 'invoicePayments', asOf: SCENE_TIME }],
  }
  await openScene(page, 'settings', { rows, responses: { [FETCH]: NO_NETWORK } })
  await openSetting(page, said.statement)
  await expect(page.getByText(said.incomplete)).toBeVisible()
  await expect(page.getByText(said.missing)).toBeVisible()
  await expect(page.getByRole('button', { name: said.pdf })).toBeHidden()
  const transactions = [30, 31, 32].map((days) => buildPaidTransfer(days * 24, { id: `pi_${days}` }))
  await setResponse(page, FETCH, answerHistory(transactions))
  await page.getByRole('button', { name: words.retry }).click()
  await expect(page.getByText(said.incomplete)).toBeHidden()
  const csv = await download(page, said.csv)
  expect(csv.bytes.toString('utf8').trimEnd().split('\r\n')).toHaveLength(1 + transactions.length)
})

sceneTest('a file that is late is not offered under another month', async ({ page }) => {
  await openScene(page, 'statement', { heldCode: 'statementFile' })
  await page.evaluate(() => {
    Object.defineProperty(navigator, 'standalone', { value: true })
    Object.defineProperty(navigator, 'canShare', { value: () => true })
    const share = () => Promise.reject(new DOMException('', 'NotAllowedError'))
    Object.defineProperty(navigator, 'share', { value: share })
  })
  await page.getByRole('button', { name: said.csv }).click()
  await choose(page, '2026-10')
  await releaseCode(page)
  await expect(page.getByRole('button', { name: said.csv })).toBeEnabled()
  await expect(page.getByText(said.ready)).toBeHidden()
  await choose(page, '2026-11')
  await expect(page.getByText(said.ready)).toBeVisible()
})

sceneTest('a month without payments shows a message', async ({ page }) => {
  const rows: SceneRows = {
    sync: [{ id: 'history', asOf: SCENE_TIME, newest: null, gaps: [] }],
    fetched: [{ id: 'invoicePayments', asOf: SCENE_TIME }],
  }
  await openScene(page, 'settings', { rows })
  await openSetting(page, said.statement)
  await expect(page.getByLabel(said.month)).toHaveValue('2026-10')
  await expect(page.getByText(said.none)).toBeVisible()
})
