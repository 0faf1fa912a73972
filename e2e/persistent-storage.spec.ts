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
async function openWithStorage(page: Page, scene: string, isGranted = true) {
  await openScene(page, scene, { responses: { 'contacts.createContact': { value: MARIAMA } } })
  await page.evaluate((isGranted) => {
    const state = Object.assign(window, { asked: 0 })
    Object.assign(navigator.storage, {
      persisted: async () => isGranted && state.asked > 0,
      async persist() {
        state.asked += 1
        // Firefox asks the user only right after a user action.
        return isGranted && navigator.userActivation.isActive
      },
    })
  }, isGranted)
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

for (const [success, scene, act, isGranted] of [
  ['a transfer’s receipt', 'receipt-new', closeReceipt, true],
  ['an invoice’s receipt', 'invoice-receipt-new', closeReceipt, false],
  ['a contact', 'contacts-empty', addContact, true],
] as const)
  test(`persistent storage is requested after ${success} @all`, async ({ page }) => {
    const countAsked = await openWithStorage(page, scene, isGranted)
    expect(await countAsked()).toBe(0)
    await act(page)
    await expect.poll(countAsked).toBe(1)
    await expectStorageText(page, isGranted ? said.kept : said.mayGo)
  })

test('the settings say when persistent storage will be requested @all', async ({ page }) => {
  const countAsked = await openWithStorage(page, 'home-empty')
  await expectStorageText(page, said.notAsked)
  expect(await countAsked()).toBe(0)
})
