import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { RECEIPT_TEXTS } from '../print/receiptTexts.ts'
import { AWA } from '../scenes/fixtures.ts'
import { HISTORY } from '../scenes/transactions.ts'
import { expect, sceneTest as test } from './fixtures.ts'
import { answerHistory } from './steps/history.ts'
import { NO_NETWORK } from './steps/moneyTexts.ts'
import { expectHome, openSetting, pressKey } from './steps/pages.ts'
import { openScene, releaseCode, setResponse } from './steps/scenes.ts'
import { defineTexts } from './texts.ts'
import { words } from './words.ts'

const said = defineTexts({
  own: 'Mes données',
  download: 'Télécharger mes données (JSON)',
  save: 'Enregistrer le fichier',
  ready: 'Le fichier est prêt.',
  notSaved: 'La page était fermée : aucun fichier n’a été enregistré. Redemandez vos données.',
  cutOff:
    'Le réseau s’est coupé avant la fin, et aucun fichier n’a été créé. Réessayez quand il sera revenu.',
  received: { fr: RECEIPT_TEXTS.fr.labels.amountReceived, en: RECEIPT_TEXTS.en.labels.amountReceived },
})

const FETCH = 'transactions.fetchHistory'

test('the export has every transfer with its receipt, and no secret', async ({ page }) => {
  await openScene(page, 'settings', { responses: { [FETCH]: NO_NETWORK } })
  await openSetting(page, said.own)
  await page.getByRole('button', { name: said.download }).click()
  await expect(page.getByText(said.cutOff)).toBeVisible()

  await setResponse(page, FETCH, answerHistory(HISTORY))
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: said.download }).click()
  const file = await download
  expect(file.suggestedFilename()).toMatch(/^passerelle-\d{4}-\d\d-\d\d\.json$/)
  const written = JSON.parse(await readFile(await file.path(), 'utf8'))
  expect(written).toMatchObject({
    format: 'passerelle.own-data',
    version: 1,
    profile: { name: 'Awa Diallo', email: AWA.email },
  })
  expect(written.transfers).toHaveLength(HISTORY.length)
  for (const { receipt } of written.transfers) expect(JSON.stringify(receipt)).toContain(said.received)
  expect(JSON.stringify(written)).not.toMatch(/downloadUrl|token|password/i)
  await expect(page.getByText(said.cutOff)).toBeHidden()
})

/** In an installed app. The system refuses to share until another tap. */
async function openExportWithShareSheet(page: Page, change: Parameters<typeof openScene>[2] = {}) {
  await openScene(page, 'settings', change)
  await page.evaluate(() => {
    const shared: string[] = []
    Object.assign(window, { shared })
    Object.defineProperty(navigator, 'standalone', { value: true })
    Object.defineProperty(navigator, 'canShare', { value: () => true })
    let isTapped = false
    Object.defineProperty(navigator, 'share', {
      value: async ({ files: [file] }: { files: File[] }) => {
        if (!isTapped) {
          isTapped = true
          throw new DOMException('', 'NotAllowedError')
        }
        shared.push(`${file?.name} ${file?.type}`)
      },
    })
  })
  await openSetting(page, said.own)
  await page.getByRole('button', { name: said.download }).click()
}

test('an installed app shares the export, by another tap if required', async ({ page }) => {
  await openExportWithShareSheet(page)
  await expect(page.getByText(said.ready)).toBeVisible()
  await page.getByRole('button', { name: said.save }).click()
  await expect
    .poll(() => page.evaluate(() => (window as never as { shared: string[] }).shared))
    .toEqual([expect.stringMatching(/^passerelle-.*\.json application\/json$/)])
  await expect(page.getByRole('button', { name: said.download })).toBeVisible()
})

test('a reopened export makes a new file', async ({ page }) => {
  const close = () => pressKey(page.getByRole('button', { name: words.close }))
  await openExportWithShareSheet(page)
  await expect(page.getByText(said.ready)).toBeVisible()
  await close()
  await openSetting(page, said.own)
  await expect(page.getByRole('button', { name: said.download })).toBeVisible()

  // The sheet is closed before the file is ready.
  await openExportWithShareSheet(page, { heldCode: 'ownDataFile' })
  await close()
  await releaseCode(page)
  await expect(page.getByRole('status').getByText(said.notSaved)).toBeVisible()
  await openSetting(page, said.own)
  await expect(page.getByRole('button', { name: said.download })).toBeVisible()
})

test('leaving before the needed tap reports the export as unsaved', async ({ page }) => {
  await openExportWithShareSheet(page, { heldCode: 'ownDataFile' })
  await page.goBack()
  await expectHome(page)
  await releaseCode(page)
  await expect(page.getByRole('status').getByText(said.notSaved)).toBeVisible()
})
