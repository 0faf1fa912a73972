import type { Page } from '@playwright/test'
import { expect, test } from './fixtures.ts'
import { INVOICE_WORDS, issueInvoice, lookUp, openInvoices, payInvoiceButton } from './steps/invoices.ts'
import { expectHome, openFromMenu } from './steps/pages.ts'
import { CARDS, confirmForm, fillTransfer, payButton, typeCard } from './steps/transfer.ts'
import { arriveHome } from './steps/waysIn.ts'
import type { Words } from './words.ts'

const SAID = {
  fr: {
    here: 'Sur cet appareil',
    notAsked:
      'Après votre premier reçu ou contact, nous demanderons à votre navigateur de ne pas les effacer si la place manque.',
    kept: 'Votre navigateur s’est engagé à ne pas les effacer, même si la place manque.',
    mayGo:
      'Si la place manque, votre navigateur peut les effacer. Rien n’est perdu : ils reviennent avec le réseau.',
    addContact: 'Ajouter un contact',
    contactName: 'Nom du contact',
    saveContact: 'Ajouter le contact',
    added: 'Contact ajouté',
  },
  en: {
    here: 'On this device',
    notAsked:
      'After your first receipt or contact, we will ask your browser not to delete them when space runs out.',
    kept: 'Your browser has agreed not to delete them, even if space runs out.',
    mayGo:
      'If space runs out, your browser may delete them. Nothing is lost: they come back with the network.',
    addContact: 'Add a contact',
    contactName: 'Contact’s name',
    saveContact: 'Add the contact',
    added: 'Contact added',
  },
} as const

type Said = (typeof SAID)['fr' | 'en']

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
async function expectSaid(page: Page, words: Words, said: Said, what: 'notAsked' | 'kept' | 'mayGo') {
  await openFromMenu(page, words, words.settings)
  const section = page.getByRole('region', { name: said.here })
  await expect(section.getByText(said[what])).toBeVisible()
  await page.getByRole('button', { name: words.back }).click()
  await expectHome(page, words)
}

async function addContact(page: Page, words: Words, said: Said, phone: string) {
  await openFromMenu(page, words, words.contacts)
  await page.getByRole('button', { name: said.addContact }).click()
  const sheet = page.getByRole('dialog')
  await sheet.getByLabel(said.contactName).fill('Mariama')
  await sheet.getByLabel(words.phoneNumber).fill(phone)
  await sheet.getByRole('button', { name: said.saveContact }).click()
  await expect(page.getByText(said.added).last()).toBeVisible()
  await page.getByRole('button', { name: words.back }).click()
  await expectHome(page, words)
}

async function payTransfer(page: Page, words: Words, amount: string) {
  await fillTransfer(page, words, { amount })
  await confirmForm(page, words)
  await typeCard(page, words, CARDS.good)
  await payButton(page, words).click()
  const receipt = page.getByRole('dialog', { name: words.receipt })
  await expect(receipt.getByText(words.paid)).toBeVisible()
  await receipt.getByRole('button', { name: words.done }).click()
  await expect(receipt).toBeHidden()
}

test('the browser is asked to keep what is here after the first receipt, once, and its answer stands in the settings', async ({
  page,
  server,
  language,
  words,
}) => {
  const said = SAID[language]
  const asked = await browserThat(page, 'agrees')
  await arriveHome(page, server, language)
  await expectSaid(page, words, said, 'notAsked')
  expect(asked()).toBe(0)
  await payTransfer(page, words, '20')
  await expect.poll(asked).toBe(1)
  await expectSaid(page, words, said, 'kept')
  await page.reload()
  await expectHome(page, words)
  await addContact(page, words, said, '+224 620 11 22 33')
  await payTransfer(page, words, '30')
  await expectSaid(page, words, said, 'kept')
  expect(asked()).toBe(1)
})

test('a browser that refuses, or asks a person who does not answer, is asked after a contact and not again', async ({
  page,
  server,
  language,
  words,
}, { project }) => {
  const said = SAID[language]
  const asked = await browserThat(page, project.name === 'phone' ? 'refuses' : 'waits for the person')
  await arriveHome(page, server, language)
  await addContact(page, words, said, '+224 620 11 22 33')
  await expect.poll(asked).toBe(1)
  await expectSaid(page, words, said, 'mayGo')
  await page.reload()
  await expectHome(page, words)
  await addContact(page, words, said, '+224 620 44 55 66')
  await expectSaid(page, words, said, 'mayGo')
  expect(asked()).toBe(1)
})

test('the receipt of an invoice is worth keeping too', async ({ page, server, language, words }) => {
  const asked = await browserThat(page, 'agrees')
  const { reference } = await issueInvoice(server)
  await arriveHome(page, server, language)
  await openInvoices(page, language)
  await lookUp(page, INVOICE_WORDS[language], reference)
  await payInvoiceButton(page).click()
  await typeCard(page, words, CARDS.good)
  await payButton(page, words).click()
  const receipt = page.getByRole('dialog', { name: INVOICE_WORDS[language].receipt })
  await expect(receipt.getByText(words.paid)).toBeVisible()
  expect(asked()).toBe(0)
  await receipt.getByRole('button', { name: words.done }).click()
  await expect.poll(asked).toBe(1)
})
