import type { Page } from '@playwright/test'
import { expect, test } from './fixtures.ts'
import { contactWords } from './steps/contacts.ts'
import { invoiceWords, issueInvoice, lookUpInvoice, payInvoiceButton } from './steps/invoices.ts'
import { expectHome, openFromMenu, openSetting } from './steps/pages.ts'
import { registerAndOpenHome } from './steps/signIn.ts'
import { closeReceipt, payWithCard, receiptSheet, sendMoney } from './steps/transfer.ts'
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

/** Returns a function that counts the requests, reloads included. */
async function mockPersistentStorage(page: Page, answer: 'agrees' | 'refuses' | 'waits for the user') {
  let asked = 0
  await page.exposeFunction('keepingAsked', () => {
    asked += 1
  })
  await page.addInitScript((how) => {
    const device = window as never as { keepingAsked: () => Promise<void> }
    const isPersisted = () => how === 'agrees' && sessionStorage.getItem('persisted') !== null
    StorageManager.prototype.persisted = async () => isPersisted()
    StorageManager.prototype.persist = async () => {
      // Firefox asks the user only right after a user action.
      if (!navigator.userActivation.isActive) throw new Error('Asked out of the blue')
      await device.keepingAsked()
      if (how === 'waits for the user') return new Promise<boolean>(() => undefined)
      sessionStorage.setItem('persisted', '')
      return isPersisted()
    }
  }, answer)
  return () => asked
}

async function expectStorageText(page: Page, what: 'notAsked' | 'kept' | 'mayGo') {
  await openFromMenu(page, words.settings)
  const sheet = await openSetting(page, said.here)
  await expect(sheet.getByText(said[what])).toBeVisible()
  await sheet.getByRole('button', { name: words.close }).click()
  await page.getByRole('button', { name: words.back }).click()
  await expectHome(page)
}

async function addContact(page: Page, phone: string) {
  await openFromMenu(page, words.contacts)
  await page.getByRole('button', { name: contactWords.add }).click()
  const sheet = page.getByRole('dialog')
  await sheet.getByLabel(contactWords.name).fill('Mariama')
  await sheet.getByLabel(words.phoneNumber).fill(phone)
  await sheet.getByRole('button', { name: contactWords.save }).click()
  await expect(page.getByText(contactWords.added).last()).toBeVisible()
  await page.getByRole('button', { name: words.back }).click()
  await expectHome(page)
}

async function payTransfer(page: Page, amount: string) {
  await sendMoney(page, { amount })
  await closeReceipt(page)
  await expect(receiptSheet(page)).toBeHidden()
}

test('persistent storage is requested after the first receipt, answered in settings @all', async ({
  page,
  server,
}) => {
  const asked = await mockPersistentStorage(page, 'agrees')
  await registerAndOpenHome(page, server)
  await expectStorageText(page, 'notAsked')
  expect(asked()).toBe(0)
  await payTransfer(page, '20')
  await expect.poll(asked).toBe(1)
  await expectStorageText(page, 'kept')
  await page.reload()
  await expectHome(page)
  await addContact(page, '+224 620 11 22 33')
  await payTransfer(page, '30')
  await expectStorageText(page, 'kept')
  expect(asked()).toBe(1)
})

for (const answer of ['refuses', 'waits for the user'] as const)
  test(`persistent storage is requested with a contact, once if it ${answer} @all`, async ({
    page,
    server,
  }) => {
    const asked = await mockPersistentStorage(page, answer)
    await registerAndOpenHome(page, server)
    await addContact(page, '+224 620 11 22 33')
    await expect.poll(asked).toBe(1)
    await expectStorageText(page, 'mayGo')
    await page.reload()
    await expectHome(page)
    await addContact(page, '+224 620 44 55 66')
    await expectStorageText(page, 'mayGo')
    expect(asked()).toBe(1)
  })

test('persistent storage is requested after an invoice’s receipt @all', async ({ page, server }) => {
  const asked = await mockPersistentStorage(page, 'agrees')
  const { reference } = await issueInvoice(server)
  await registerAndOpenHome(page, server)
  await lookUpInvoice(page, reference)
  await payInvoiceButton(page).click()
  await payWithCard(page)
  const receipt = page.getByRole('dialog', { name: invoiceWords.receipt })
  await expect(receipt.getByText(words.paid)).toBeVisible()
  expect(asked()).toBe(0)
  await closeReceipt(page)
  await expect.poll(asked).toBe(1)
})
