import type { Page } from '@playwright/test'
import { MARIAMA } from '../scenes/fixtures.ts'
import { expect, sceneTest as test } from './fixtures.ts'
import { contactWords } from './steps/contacts.ts'
import { openFromMenu, openSetting } from './steps/pages.ts'
import { openScene } from './steps/scenes.ts'
import { closeReceipt } from './steps/transfer.ts'
import { defineTexts } from './texts.ts'
import { words } from './words.ts'

const said = defineTexts({
  here: 'Sur cet appareil',
  notAsked:
    'Après votre premier reçu ou contact, nous demanderons à votre navigateur de ne pas les effacer si la place manque.',
  kept: 'Votre navigateur s’est engagé à ne pas les effacer, même si la place manque.',
  mayGo:
    'Si la place manque, votre navigateur peut les effacer. Rien n’est perdu : ils reviennent avec le réseau.',
})

/** Returns a function that counts the requests since the scene began. */
async function openWithStorage(page: Page, scene: string, isGranted: boolean) {
  const mock = await page.addInitScript((isGranted) => {
    const state = Object.assign(window, { asked: 0 })
    StorageManager.prototype.persisted = async () => isGranted && state.asked > 0
    StorageManager.prototype.persist = async () => {
      state.asked += 1
      // Firefox asks the user only right after a user action.
      if (!navigator.userActivation.isActive) throw new Error('Asked out of the blue')
      return isGranted
    }
  }, isGranted)
  await openScene(page, scene, { responses: { 'contacts.createContact': { value: MARIAMA } } })
  // The next test has the same page.
  await mock.dispose()
  return () => page.evaluate(() => Reflect.get(window, 'asked') as number)
}

async function expectStorageText(page: Page, text: string) {
  await openFromMenu(page, words.settings)
  const sheet = await openSetting(page, said.here)
  await expect(sheet.getByText(text)).toBeVisible()
  await sheet.getByRole('button', { name: words.close }).click()
}

async function addContact(page: Page) {
  await page.getByRole('button', { name: contactWords.add }).click()
  await page.getByLabel(contactWords.name).fill(MARIAMA.name)
  await page.getByRole('dialog').getByLabel(words.phoneNumber).fill(MARIAMA.phone)
  await page.getByRole('button', { name: contactWords.save }).click()
  await expect(page.getByText(contactWords.added)).toBeVisible()
}

for (const [success, scene, act] of [
  ['a transfer’s receipt', 'receipt-new', closeReceipt],
  ['an invoice’s receipt', 'invoice-receipt-new', closeReceipt],
  ['a contact', 'contacts-empty', addContact],
] as const)
  test(`persistent storage is requested after ${success} @all`, async ({ page }) => {
    for (const [isGranted, text] of [
      [true, said.kept],
      [false, said.mayGo],
    ] as const) {
      const countAsked = await openWithStorage(page, scene, isGranted)
      expect(await countAsked()).toBe(0)
      await act(page)
      await expect.poll(countAsked).toBe(1)
      await expectStorageText(page, text)
    }
  })

test('the settings say when persistent storage will be requested @all', async ({ page }) => {
  const countAsked = await openWithStorage(page, 'home-empty', true)
  await expectStorageText(page, said.notAsked)
  expect(await countAsked()).toBe(0)
})
