import type { Page } from '@playwright/test'
import { expect, test } from './fixtures.ts'
import { contactWords } from './steps/contacts.ts'
import { invoiceWords, issueInvoice, lookUp, openInvoices, payInvoiceButton } from './steps/invoices.ts'
import { expectHome, openFromMenu } from './steps/pages.ts'
import { closeReceipt, payWithCard, receiptSheet, sendMoney } from './steps/transfer.ts'
import { arriveHome } from './steps/waysIn.ts'
import { texts } from './texts.ts'
import { words } from './words.ts'

const said = texts({
  here: 'Sur cet appareil',
  notAsked:
    'Après votre premier reçu ou contact, nous demanderons à votre navigateur de ne pas les effacer si la place manque.',
  kept: 'Votre navigateur s’est engagé à ne pas les effacer, même si la place manque.',
  mayGo:
    'Si la place manque, votre navigateur peut les effacer. Rien n’est perdu : ils reviennent avec le réseau.',
})

/** A browser that answers like this when it is asked to keep what is here; and how often it was asked, reloads included. */
async function browserThat(page: Page, answer: 'agrees' | 'refuses' | 'waits for the person') {
  let asked = 0
  await page.exposeFunction('keepingAsked', () => {
    asked += 1
  })
  await page.addInitScript((how) => {
    const told = window as never as { keepingAsked: () => Promise<void> }
    const isPersisted = () => how === 'agrees' && sessionStorage.getItem('persisted') !== null
    StorageManager.prototype.persisted = async () => isPersisted()
    StorageManager.prototype.persist = async () => {
      // Firefox asks the person right after something that they did.
      if (!navigator.userActivation.isActive) throw new Error('Asked out of the blue')
      await told.keepingAsked()
      if (how === 'waits for the person') return new Promise<boolean>(() => undefined)
      sessionStorage.setItem('persisted', '')
      return isPersisted()
    }
  }, answer)
  return () => asked
}

/** What the settings say about what this device keeps. */
async function expectSaid(page: Page, what: 'notAsked' | 'kept' | 'mayGo') {
  await openFromMenu(page, words.settings)
  const section = page.getByRole('region', { name: said.here })
  await expect(section.getByText(said[what])).toBeVisible()
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

test('the browser is asked to keep what is here after the first receipt, once, and its answer stands in the settings', async ({
  page,
  server,
}) => {
  const asked = await browserThat(page, 'agrees')
  await arriveHome(page, server)
  await expectSaid(page, 'notAsked')
  expect(asked()).toBe(0)
  await payTransfer(page, '20')
  await expect.poll(asked).toBe(1)
  await expectSaid(page, 'kept')
  await page.reload()
  await expectHome(page)
  await addContact(page, '+224 620 11 22 33')
  await payTransfer(page, '30')
  await expectSaid(page, 'kept')
  expect(asked()).toBe(1)
})

test('a browser that refuses, or asks a person who does not answer, is asked after a contact and not again', async ({
  page,
  server,
}, { project }) => {
  const asked = await browserThat(page, project.name === 'phone' ? 'refuses' : 'waits for the person')
  await arriveHome(page, server)
  await addContact(page, '+224 620 11 22 33')
  await expect.poll(asked).toBe(1)
  await expectSaid(page, 'mayGo')
  await page.reload()
  await expectHome(page)
  await addContact(page, '+224 620 44 55 66')
  await expectSaid(page, 'mayGo')
  expect(asked()).toBe(1)
})

test('the receipt of an invoice is worth keeping too', async ({ page, server }) => {
  const asked = await browserThat(page, 'agrees')
  const { reference } = await issueInvoice(server)
  await arriveHome(page, server)
  await openInvoices(page)
  await lookUp(page, reference)
  await payInvoiceButton(page).click()
  await payWithCard(page)
  const receipt = page.getByRole('dialog', { name: invoiceWords.receipt })
  await expect(receipt.getByText(words.paid)).toBeVisible()
  expect(asked()).toBe(0)
  await receipt.getByRole('button', { name: words.done }).click()
  await expect.poll(asked).toBe(1)
})
