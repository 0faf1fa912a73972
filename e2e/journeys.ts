import { expect, type Page } from '@playwright/test'
import { DAY, HOUR } from '../domain/common/duration.ts'
import type { Server } from './server.ts'
import { writeContact } from './steps/contacts.ts'
import { historyWords } from './steps/history.ts'
import { buildPng, chooseDocument, openIdentity } from './steps/identity.ts'
import {
  invoiceWords,
  issueInvoice,
  openInvoices,
  payInvoiceButton,
  submitInvoiceLookup,
} from './steps/invoices.ts'
import { openFromMenu, openProfile, openSecurity, openWallet } from './steps/pages.ts'
import { createPerson, type Person } from './steps/person.ts'
import { openPlans, writeLedger, writePlan } from './steps/plans.ts'
import {
  openInTestLanguage,
  openPhoneTab,
  openSignedInHome,
  requestSignUpCode,
  signInByPhone,
  signUp,
} from './steps/signIn.ts'
import {
  activityRows,
  CARD_NUMBERS,
  confirmForm,
  fillTransfer,
  payButton,
  payWithCard,
} from './steps/transfer.ts'
import { words } from './words.ts'

/** Walks through the real app, from a fresh page to a screen. */
type Journey = (page: Page, server: Server) => Promise<void>

/** Journeys to the main screens, by the name of the scene that shows the same screen. */
export const JOURNEYS = {
  'sign-in': openInTestLanguage,
  async 'sign-up'(page) {
    await openInTestLanguage(page)
    await page.getByRole('button', { name: words.createInstead }).click()
  },
  async 'phone-code'(page) {
    await openInTestLanguage(page)
    await openPhoneTab(page, 'signUp')
    await requestSignUpCode(page, { name: 'Awa', phone: '+33 6 12 34 56 78' })
  },
  async verification(page) {
    await openInTestLanguage(page)
    await signUp(page, createPerson())
  },
  'home-empty': signUpAndOpenHome,
  async 'home-filled'(page, server) {
    await signUpAndOpenHome(page, server)
    await fillTransfer(page, { amount: '150' })
  },
  'home-activity': openHomeWithActivity,
  async payment(page, server) {
    await openPayment(page, server)
    await expect(payButton(page)).toBeEnabled()
  },
  async 'payment-declined'(page, server) {
    await openPayment(page, server)
    await payWithCard(page, CARD_NUMBERS.noFunds)
  },
  async 'payment-recording'(page, server) {
    await page.route('**/record-transfer', () => undefined)
    await openPayment(page, server)
    await payWithCard(page)
  },
  async 'receipt-new'(page, server) {
    await openPayment(page, server)
    await payWithCard(page)
  },
  async history(page, server) {
    await openSignedInHome(page, server, await registerWithHistory(server))
    await page.getByRole('link', { name: historyWords.all }).click()
  },
  async contacts(page, server) {
    const person = await registerWithHistory(server)
    for (const [name, phone] of CONTACTS) await writeContact(server, person.uid, name, phone)
    await openSignedInHome(page, server, person)
    await openFromMenu(page, words.contacts)
  },
  async profile(page, server) {
    await openHome(page, server)
    await openProfile(page)
  },
  async 'identity-preview'(page, server) {
    await openHome(page, server)
    await openIdentity(page)
    await chooseDocument(page, buildPng())
  },
  async 'invoice-payment'(page, server) {
    const { reference } = await issueInvoice(server)
    await openPaidInvoices(page, server)
    await submitInvoiceLookup(page, reference)
    await payInvoiceButton(page).click()
    await expect(payButton(page)).toBeEnabled()
  },
  async 'invoice-receipt'(page, server) {
    await openPaidInvoices(page, server)
    await page.getByRole('region', { name: invoiceWords.paidList }).getByRole('button').first().click()
  },
  async wallet(page, server) {
    const person = await register(server)
    await writeLedger(server, person.uid, 42_000, 15_000)
    await openSignedInHome(page, server, person)
    await openWallet(page)
  },
  async plans(page, server) {
    await openHome(page, server)
    await openPlans(page)
  },
  async 'plan-active'(page, server) {
    const person = await register(server)
    await writePlan(server, person, { transactionsLeft: 3, startDate: new Date(Date.now() - 18 * DAY) })
    await openSignedInHome(page, server, person)
    await openPlans(page)
  },
  async settings(page, server) {
    await openHome(page, server)
    await openFromMenu(page, words.settings)
  },
  async security(page, server) {
    await openHome(page, server)
    await openSecurity(page)
  },
} as const satisfies Readonly<Record<string, Journey>>

interface Registered extends Person {
  readonly uid: string
}

/** Registers a user with the name of the scenes' user. */
async function register(server: Server): Promise<Registered> {
  const person = { ...createPerson(), name: 'Awa Diallo' }
  return { ...person, uid: await server.register(person) }
}

async function signUpAndOpenHome(page: Page, server: Server) {
  await openInTestLanguage(page)
  await signInByPhone(page, server, { name: 'Awa Diallo', phone: '+33612345678' })
  await expect(page.getByText(words.noTransfers)).toBeVisible()
}

async function openHome(page: Page, server: Server) {
  await openSignedInHome(page, server, await register(server))
  await expect(page.getByText(words.noTransfers)).toBeVisible()
}

export async function openHomeWithActivity(page: Page, server: Server) {
  await openSignedInHome(page, server, await registerWithHistory(server))
  await fillTransfer(page, { amount: '150' })
  await expect(activityRows(page)).toHaveCount(4)
}

async function openPayment(page: Page, server: Server) {
  await openHome(page, server)
  await fillTransfer(page, { amount: '100' })
  await confirmForm(page)
}

const CONTACTS = [
  ['Mariama Bah', '+224664112233'],
  ['Élodie Marchand-Fontainebleau de Saint-Germain', '+33612345678'],
  ['Ousmane (Dakar)', '+221771234567'],
  ['Ibrahima', '+224620000001'],
] as const

const PAST = [
  { id: 'pi_3Nkindia0001', hoursAgo: 0, status: 'completed', phone: '+224620000000', to: 'GN', net: 145.5 },
  { id: 'pi_3Nkindia0002', hoursAgo: 26, status: 'pending', phone: '+224664112233', to: 'GN', net: 48.5 },
  { id: 'pi_3Nkindia0003', hoursAgo: 75, status: 'failed', phone: '+33612345678', to: 'FR', net: 97 },
  {
    id: 'pi_3Nkindia0004',
    hoursAgo: 24 * 40,
    status: 'canceled',
    phone: '+15145550123',
    to: 'CA',
    net: 242.5,
  },
] as const

const DESTINATIONS = {
  GN: {
    rate: 10_600,
    decimals: 0,
    method: 'mtn_money',
    stored: { code: 'GN', name: 'Guinea', currency: 'GNF', flag: '🇬🇳' },
  },
  FR: {
    rate: 1,
    decimals: 2,
    method: 'wero',
    stored: { code: 'FR', name: 'France', currency: 'EUR', flag: '🇫🇷' },
  },
  CA: {
    rate: 1.47,
    decimals: 2,
    method: 'interac',
    stored: { code: 'CA', name: 'Canada', currency: 'CAD', flag: '🇨🇦' },
  },
} as const

/** Registers a user with a transfer of each status. */
async function registerWithHistory(server: Server): Promise<Registered> {
  const person = await register(server)
  for (const past of PAST) await writeTransfer(server, person, past)
  return person
}

function writeTransfer(
  server: Server,
  { uid }: Registered,
  { id, hoursAgo, status, phone, to, net }: (typeof PAST)[number],
) {
  const { rate, decimals, method, stored } = DESTINATIONS[to]
  const createdAt = new Date(Date.now() - hoursAgo * HOUR)
  const unique = `${id}${uid.slice(0, 10)}`
  return server.write(`transactions/${unique}`, {
    id: unique,
    senderId: uid,
    type: 'sent',
    recipientPhone: phone,
    amount: net,
    fees: Math.round((net / 97) * 300) / 100,
    exchangeRate: rate,
    convertedAmount: Number((net * rate).toFixed(decimals)),
    sourceCurrency: 'EUR',
    destinationCurrency: stored.currency,
    destination: stored,
    status,
    createdAt,
    settledAt: createdAt,
    estimatedArrival: new Date(createdAt.getTime() + HOUR),
    description: `Transfer to ${phone.slice(0, 4)}*******${phone.slice(-2)}`,
    paymentMethod: 'card',
    couponCode: null,
    receivingMethod: method,
  })
}

const PAID_INVOICES = [
  ['edg', 450_000, 'GNF'],
  ['edf', 84.5, 'EUR'],
  ['hydro-quebec', 63.2, 'CAD'],
] as const

/** Opens the invoice screen of a user who has paid an invoice in each currency. */
async function openPaidInvoices(page: Page, server: Server) {
  const person = await register(server)
  for (const [index, [supplier, amount, currency]] of PAID_INVOICES.entries()) {
    const paidAt = new Date(Date.now() - index * 20 * DAY)
    const id = `pi_3Nfacture${index}${person.uid.slice(0, 10)}`
    await server.write(`invoicePayments/${id}`, {
      id,
      payerId: person.uid,
      payerName: person.name,
      type: 'electricity',
      supplier,
      reference: `${supplier.toUpperCase()}-2026-${1000 + index}`,
      amount,
      currency,
      dueDate: '2026-11-30',
      status: 'completed',
      description: `Invoice of ${supplier}`,
      paymentMethod: 'card',
      createdAt: paidAt,
      settledAt: paidAt,
    })
  }
  await openSignedInHome(page, server, person)
  await openInvoices(page)
}
