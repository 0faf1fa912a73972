import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { BROKEN_CALLS, expect, test } from './fixtures.ts'
import { holdBack } from './steps/faults.ts'
import { registerWith } from './steps/history.ts'
import { expectHome, openFromMenu } from './steps/pages.ts'
import { enter, standAlone } from './steps/waysIn.ts'
import { texts } from './texts.ts'
import { words } from './words.ts'

test.use({ expectedErrors: [BROKEN_CALLS] })

const said = texts({
  download: 'Télécharger mes données (JSON)',
  save: 'Enregistrer le fichier',
  ready: 'Le fichier est prêt.',
  notSaved: 'La page était fermée : aucun fichier n’a été enregistré. Redemandez vos données.',
  cutOff: 'Le réseau s’est coupé avant la fin, et aucun fichier n’a été fait. Réessayez quand il est revenu.',
  received: 'Montant à recevoir',
})

test('the own data come as a file, with transfers that this device never saw and their receipts', async ({
  page,
  server,
}) => {
  const person = await registerWith(server, 130)
  await enter(page, server, person)
  await openFromMenu(page, words.settings)

  // The second page of the history does not come.
  let asked = 0
  await page.route('**/documents:runQuery**', (route) => {
    const isHistory = route.request().postData()?.includes('transactions')
    if (!isHistory) return route.continue()
    asked += 1
    return asked > 1 ? route.abort() : route.continue()
  })
  await page.getByRole('button', { name: said.download }).click()
  await expect(page.getByText(said.cutOff)).toBeVisible()
  await page.unrouteAll()

  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: said.download }).click()
  const file = await download
  expect(file.suggestedFilename()).toMatch(/^passerelle-\d{4}-\d\d-\d\d\.json$/)
  const written = JSON.parse(await readFile(await file.path(), 'utf8'))
  expect(written).toMatchObject({
    format: 'passerelle.own-data',
    version: 1,
    profile: { name: person.name, email: person.email },
  })
  expect(written.transfers).toHaveLength(130)
  for (const { receipt } of written.transfers) expect(JSON.stringify(receipt)).toContain(said.received)
  expect(JSON.stringify(written)).not.toMatch(/downloadUrl|token|password/i)
  await expect(page.getByText(said.cutOff)).toBeHidden()
})

/** An installed app whose system wants one more tap, once. */
async function beSharing(page: Page) {
  await standAlone(page, 'iOS')
  await page.addInitScript(() => {
    const shared: string[] = []
    Object.assign(window, { shared })
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
}

test('an installed app hands the file to another app, with one more tap where the system wants it', async ({
  page,
  server,
}) => {
  await beSharing(page)
  const person = await registerWith(server, 1)
  await enter(page, server, person)
  await openFromMenu(page, words.settings)
  await page.getByRole('button', { name: said.download }).click()
  await expect(page.getByText(said.ready)).toBeVisible()
  await page.getByRole('button', { name: said.save }).click()
  await expect
    .poll(() => page.evaluate(() => (window as never as { shared: string[] }).shared))
    .toEqual([expect.stringMatching(/^passerelle-.*\.json application\/json$/)])
  await expect(page.getByRole('button', { name: said.download })).toBeVisible()
})

test('a file that wants one more tap once its page was left is said not to be saved', async ({
  page,
  server,
}) => {
  await beSharing(page)
  const person = await registerWith(server, 1)
  await enter(page, server, person)
  await openFromMenu(page, words.settings)
  const CODE = '**/assets/ownFile-*.js'
  const release = await holdBack(page, CODE)
  const asked = page.waitForRequest(CODE)
  await page.getByRole('button', { name: said.download }).click()
  await asked
  await page.getByRole('button', { name: words.back }).click()
  await expectHome(page)
  release()
  await expect(page.getByRole('status').getByText(said.notSaved)).toBeVisible()
})
