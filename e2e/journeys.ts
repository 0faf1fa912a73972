import { expect, type Page } from '@playwright/test'
import { DAY } from '../domain/common/duration.ts'
import { CONTACTS } from '../scenes/fixtures.ts'
import { PAID_INVOICES } from '../scenes/invoices.ts'
import { SCENE_TIME } from '../scenes/scene.ts'
import { HISTORY } from '../scenes/transactions.ts'
import type { Server } from './server.ts'
import { writeContact } from './steps/contacts.ts'
import { delayRequests } from './steps/faults.ts'
import { historyWords } from './steps/history.ts'
import { buildPng, chooseDocument, openIdentity } from './steps/identity.ts'
import {
  invoiceWords,
  issueInvoice,
  openInvoices,
  payInvoiceButton,
  submitInvoiceLookup,
} from './steps/invoices.ts'
import { openFromMenu, openFromRow, openProfile, openWallet } from './steps/pages.ts'
import { createPerson, type Person } from './steps/person.ts'
import { openPlans, writeLedger, writePlan } from './steps/plans.ts'
import {
  enterCode,
  openInTestLanguage,
  openPhoneTab,
  openSignedInHome,
  openSignUp,
  requestSignUpCode,
  signInPanel,
  submitSignUp,
} from './steps/signIn.ts'
import {
  activityRows,
  CARD_NUMBERS,
  closeReceipt,
  confirmForm,
  fillTransfer,
  openCardForm,
  payButton,
  payWithCard,
} from './steps/transfer.ts'
import { words } from './words.ts'

type Compare = (scene: string) => Promise<void>

type Journey = (page: Page, server: Server, compare: Compare) => Promise<void>

export const JOURNEYS: Readonly<Record<string, Journey>> = {
  async 'the sign-up by phone, up to a filled form'(page, server, compare) {
    const person = { name: 'Awa Diallo', phone: '+33612345678' }
    await openInTestLanguage(page)
    await compare('sign-in')
    await openPhoneTab(page, 'signUp')
    await requestSignUpCode(page, person)
    await compare('phone-code')
    await enterCode(page, server, person)
    await signInPanel(page).getByRole('button', { name: words.createAccount }).click()
    await expect(page.getByText(words.noTransfers)).toBeVisible()
    await compare('home-empty')
    await fillTransfer(page, { amount: '150' })
    await compare('home-filled')
  },
  async 'the sign-up by email'(page, _server, compare) {
    await openInTestLanguage(page)
    await openSignUp(page)
    await compare('sign-up')
    await submitSignUp(page, createPerson())
    await compare('verification')
  },
  async 'a payment that is declined once'(page, server, compare) {
    await openPayment(page, server)
    await compare('payment')
    await payWithCard(page, CARD_NUMBERS.noFunds)
    await compare('payment-declined')
    const release = await delayRequests(page, '**/record-transfer')
    await confirmForm(page)
    await payWithCard(page)
    await compare('payment-recording')
    release()
    await compare('receipt-new')
  },
  async 'a history and contacts'(page, server, compare) {
    const person = await openHomeWithActivity(page, server)
    await compare('home-activity')
    await page.getByRole('link', { name: historyWords.all }).click()
    await compare('history')
    for (const { name, phone } of CONTACTS) await writeContact(server, person.uid, name, phone)
    await openFromMenu(page, words.contacts)
    await compare('contacts')
  },
  async 'the pages of the menu'(page, server, compare) {
    await openHome(page, server)
    await openPlans(page)
    await compare('plans')
    await openProfile(page)
    await compare('profile')
    await openFromMenu(page, words.settings)
    await compare('settings')
    await openFromRow(page, words.security)
    await compare('security')
    await openIdentity(page)
    await chooseDocument(page, buildPng())
    await compare('identity-preview')
  },
  async 'paid invoices and an open one'(page, server, compare) {
    const { reference } = await issueInvoice(server)
    await openPaidInvoices(page, server)
    await page.getByRole('region', { name: invoiceWords.paidList }).getByRole('button').first().click()
    await compare('invoice-receipt')
    await closeReceipt(page)
    await submitInvoiceLookup(page, reference)
    await payInvoiceButton(page).click()
    await expect(payButton(page)).toBeEnabled()
    await compare('invoice-payment')
  },
  async 'a wallet without a plan'(page, server, compare) {
    const person = await register(server)
    await writeLedger(server, person.uid, 42_000, 15_000)
    await openSignedInHome(page, server, person)
    await openWallet(page)
    await compare('wallet')
  },
  async 'an active plan'(page, server, compare) {
    const person = await register(server)
    await writePlan(server, person, { transactionsLeft: 3, startDate: new Date(Date.now() - 18 * DAY) })
    await openSignedInHome(page, server, person)
    await openPlans(page)
    await compare('plan-active')
  },
}

interface Registered extends Person {
  readonly uid: string
}

/** The scenes' user has the same name. */
async function register(server: Server): Promise<Registered> {
  const person = { ...createPerson(), name: 'Awa Diallo' }
  return { ...person, uid: await server.register(person) }
}

async function openHome(page: Page, server: Server) {
  await openSignedInHome(page, server, await register(server))
  await expect(page.getByText(words.noTransfers)).toBeVisible()
}

export async function openHomeWithActivity(page: Page, server: Server): Promise<Registered> {
  const person = await registerWithHistory(server)
  await openSignedInHome(page, server, person)
  await fillTransfer(page, { amount: '150' })
  await expect(activityRows(page)).toHaveCount(4)
  return person
}

export async function openPayment(page: Page, server: Server) {
  await openHome(page, server)
  await fillTransfer(page, { amount: '100' })
  await openCardForm(page)
}

/** The scenes' rows, as if the scene's time were now. */
const toPresent = (sceneTime: number) => new Date(Date.now() - (SCENE_TIME - sceneTime))

async function registerWithHistory(server: Server): Promise<Registered> {
  const person = await register(server)
  for (const transfer of HISTORY) {
    const id = `${transfer.id}${person.uid.slice(0, 10)}`
    await server.write(`transactions/${id}`, {
      ...{ ...transfer, id, senderId: person.uid },
      createdAt: toPresent(transfer.createdAt),
      settledAt: toPresent(transfer.settledAt),
      estimatedArrival: toPresent(transfer.estimatedArrival),
    })
  }
  return person
}

async function openPaidInvoices(page: Page, server: Server) {
  const person = await register(server)
  for (const payment of PAID_INVOICES) {
    const id = `${payment.id}${person.uid.slice(0, 10)}`
    const paidAt = toPresent(payment.createdAt)
    const own = { ...payment, id, payerId: person.uid, createdAt: paidAt, settledAt: paidAt }
    await server.write(`invoicePayments/${id}`, own)
  }
  await openSignedInHome(page, server, person)
  await openInvoices(page)
}
