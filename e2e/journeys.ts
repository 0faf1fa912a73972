import { expect, type Page } from '@playwright/test'
import { DAY } from '../domain/common/duration.ts'
import { AWA_BY_PHONE, CONTACTS } from '../scenes/fixtures.ts'
import { PAID_INVOICES } from '../scenes/invoices.ts'
import { SCENE_TIME } from '../scenes/scene.ts'
import { HISTORY } from '../scenes/transactions.ts'
import type { Server } from './server.ts'
import { writeContact } from './steps/contacts.ts'
import { delayRequests } from './steps/faults.ts'
import { historyWords } from './steps/history.ts'
import { buildPng, chooseDocument, openIdentity, writeIdentityFile } from './steps/identity.ts'
import { issueInvoice, openInvoices, payInvoiceButton, submitInvoiceLookup } from './steps/invoices.ts'
import { openFromMenu, openFromRow, openProfile, openSecurity, openWallet } from './steps/pages.ts'
import { addAuthenticator } from './steps/passkeys.ts'
import { createPerson, type Person } from './steps/person.ts'
import { openPlans, planWords, writeLedger, writePlan } from './steps/plans.ts'
import { compareWithScene, reachScene } from './steps/sceneComparison.ts'
import {
  enterCode,
  openInTestLanguage,
  openPhoneTab,
  openSignedInHome,
  openSignUp,
  pressInPanel,
  requestSignUpCode,
  submitSignUp,
} from './steps/signIn.ts'
import {
  activityRows,
  CARD_NUMBERS,
  confirmForm,
  fillTransfer,
  openCardForm,
  payButton,
  payWithCard,
} from './steps/transfer.ts'
import { words } from './words.ts'

type Journey = (page: Page, server: Server) => Promise<void>

export const JOURNEYS: Readonly<Record<string, Journey>> = {
  async 'the sign-up by phone, up to a filled form'(page, server) {
    const person = { name: 'Awa Diallo', phone: AWA_BY_PHONE.phone }
    await openInTestLanguage(page)
    await compareWithScene(page, 'sign-in')
    await reachScene(page, 'forgotten-password-error')
    await openPhoneTab(page)
    await compareWithScene(page, 'phone-sign-in')
    await openPhoneTab(page, 'signUp')
    await requestSignUpCode(page, person)
    await compareWithScene(page, 'phone-code')
    await enterCode(page, server, person)
    await pressInPanel(page, words.createAccount)
    await compareWithScene(page, 'home-empty')
    await reachScene(page, 'home-field-errors')
    await fillTransfer(page, { amount: '150' })
    await compareWithScene(page, 'home-filled')
    await reachScene(page, 'home-coupon-error')
    await openProfile(page)
    await compareWithScene(page, 'profile-by-phone')
    await reachScene(page, 'change-number')
  },
  async 'the sign-up by email'(page) {
    await openInTestLanguage(page)
    await openSignUp(page)
    await compareWithScene(page, 'sign-up')
    await page.getByLabel(words.email).fill('aissatou@')
    await reachScene(page, 'sign-up-errors')
    await submitSignUp(page, createPerson())
    await compareWithScene(page, 'verification')
  },
  async 'a payment that is declined once'(page, server) {
    await openPayment(page, server)
    await compareWithScene(page, 'payment')
    await payButton(page).click()
    await compareWithScene(page, 'payment-card-incomplete')
    await payWithCard(page, CARD_NUMBERS.noFunds)
    await compareWithScene(page, 'payment-declined')
    const release = await delayRequests(page, '**/record-transfer')
    await confirmForm(page)
    await payWithCard(page)
    await compareWithScene(page, 'payment-recording')
    release()
    await compareWithScene(page, 'receipt-new')
  },
  async 'a history and contacts'(page, server) {
    const person = await openHomeWithActivity(page, server)
    await compareWithScene(page, 'home-activity')
    await confirmForm(page)
    await reachScene(page, 'transfer-again')
    await page.getByRole('link', { name: historyWords.all }).click()
    await compareWithScene(page, 'history')
    await reachScene(page, 'history-nothing-found')
    for (const { name, phone } of CONTACTS) await writeContact(server, person.uid, name, phone)
    await openFromMenu(page, words.contacts)
    await compareWithScene(page, 'contacts')
    for (const scene of ['contact-add-errors', 'contact-add-unclear', 'contact-edit', 'contact-delete'])
      await reachScene(page, scene)
    await reachScene(page, 'contacts-nothing-found')
  },
  async 'the pages of the menu'(page, server) {
    await addAuthenticator(page)
    const { uid } = await openHome(page, server)
    await reachScene(page, 'profile-menu')
    await openPlans(page)
    await compareWithScene(page, 'plans')
    await reachScene(page, 'plans-none-cheaper')
    await openFromMenu(page, words.contacts)
    await compareWithScene(page, 'contacts-empty')
    await openIdentity(page)
    await compareWithScene(page, 'identity')
    await reachScene(page, 'identity-errors')
    await openProfile(page)
    await compareWithScene(page, 'profile')
    for (const scene of ['profile-errors', 'profile-link-sent']) await reachScene(page, scene)
    await openFromMenu(page, words.settings)
    await compareWithScene(page, 'settings')
    await openFromRow(page, words.notifications)
    await compareWithScene(page, 'notifications')
    await openSecurity(page)
    await compareWithScene(page, 'security')
    for (const scene of ['security-errors', 'delete-account', 'app-lock-off']) await reachScene(page, scene)
    await openIdentity(page)
    await chooseDocument(page, buildPng())
    await compareWithScene(page, 'identity-preview')
    for (const [scene, decided] of Object.entries(DECIDED)) {
      await writeIdentityFile(server, uid, decided)
      await page.reload()
      await compareWithScene(page, scene)
    }
  },
  async 'paid invoices and an open one'(page, server) {
    const { reference, path, issued } = await issueInvoice(server)
    await openPaidInvoices(page, server)
    await reachScene(page, 'invoice-receipt')
    await reachScene(page, 'invoice-not-found')
    await server.write(path, { ...issued, dueDate: '2026-11-17' })
    await submitInvoiceLookup(page, reference)
    await compareWithScene(page, 'invoice-overdue')
    await server.write(path, issued)
    await submitInvoiceLookup(page, reference)
    await payInvoiceButton(page).click()
    await expect(payButton(page)).toBeEnabled()
    await compareWithScene(page, 'invoice-payment')
  },
  async 'a wallet without a plan'(page, server) {
    const person = await register(server)
    await writeLedger(server, person.uid, 42_000, 15_000)
    await openSignedInHome(page, server, person)
    await openWallet(page)
    await compareWithScene(page, 'wallet')
  },
  async 'an active plan'(page, server) {
    const person = await register(server)
    const plan = { transactionsLeft: 3, startDate: new Date(Date.now() - 18 * DAY) }
    await writePlan(server, person, plan)
    await openSignedInHome(page, server, person)
    await openPlans(page)
    await compareWithScene(page, 'plan-active')
    await page.getByRole('button', { name: planWords.cancel }).click()
    await compareWithScene(page, 'plan-cancel')
    await writePlan(server, person, { ...plan, renewalFailed: true })
    await page.reload()
    await compareWithScene(page, 'plan-not-renewed')
    const cancelAt = new Date(Date.now() + 12 * DAY)
    await writePlan(server, person, { ...plan, status: 'canceled', cancelAt })
    await page.reload()
    await compareWithScene(page, 'plan-canceled')
  },
}

/** By scene. */
const DECIDED = { 'identity-pending': {}, 'identity-approved': { status: 'approved' } }

interface Registered extends Person {
  readonly uid: string
}

/** The scenes' user has the same name. */
async function register(server: Server): Promise<Registered> {
  const person = { ...createPerson(), name: 'Awa Diallo' }
  return { ...person, uid: await server.register(person) }
}

async function openHome(page: Page, server: Server) {
  const person = await register(server)
  await openSignedInHome(page, server, person)
  await expect(page.getByText(words.noTransfers)).toBeVisible()
  return person
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
