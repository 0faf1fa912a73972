import { expect } from '@playwright/test'
import { HOUR } from '../../domain/duration.ts'
import {
  dayIn,
  invoiceWords,
  issueInvoice,
  lookUp,
  openInvoices,
  payInvoiceButton,
} from '../steps/invoices.ts'
import { payButton } from '../steps/transfer.ts'
import { arrive, register, signInAs } from './people.ts'
import { cardNumber, IN_APP, type ScreensOf, type Stage } from './screen.ts'

const invoiceText =
  (word: keyof typeof invoiceWords) =>
  ({ page }: Stage) =>
    page.getByText(invoiceWords[word]).first()

export const INVOICES_SCREENS: ScreensOf = {
  testedBy: ['invoices', 'kept-forms', 'waiting', 'money-texts'],
  at: { ...IN_APP, invoice: 'editing' },
  screens: [
    {
      name: 'invoices-errors',
      async reach(stage) {
        await arrive(stage)
        await openInvoices(stage.page)
        await expect(invoiceText('none')(stage)).toBeVisible()
        await stage.page.getByRole('button', { name: invoiceWords.see }).click()
      },
      shows: invoiceText('incomplete'),
    },
    {
      name: 'invoice-not-found',
      reach: (stage) => seeInvoice(stage, '6012-NOBODY'),
      shows: invoiceText('noSuchInvoice'),
    },
    {
      name: 'invoice-overdue',
      reach: async (stage) => seeInvoice(stage, (await issueInvoice(stage.server, {}, -3)).reference),
      shows: invoiceText('overdue'),
    },
    {
      name: 'invoice-paid',
      reach: async (stage) =>
        seeInvoice(stage, (await issueInvoice(stage.server, { status: 'paid' })).reference),
      shows: invoiceText('alreadyPaid'),
    },
    {
      name: 'invoice-under-way',
      async reach(stage) {
        const { reference, claim } = await issueInvoice(stage.server)
        await stage.server.write(claim, { heldBy: 'somebody', holders: [], allowed: [] })
        await seeInvoice(stage, reference)
      },
      shows: invoiceText('underWay'),
    },
    {
      name: 'invoice-seems-paid',
      async reach(stage) {
        const { reference, issued } = await issueInvoice(stage.server)
        await writePaidInvoice(stage, `pi_of_${reference}`, {
          ...{ payerId: 'a relative', supplier: 'edf', reference, amount: issued.amount, currency: 'EUR' },
          ...{ dueDate: dayIn(3), createdAt: new Date() },
        })
        await seeInvoice(stage, reference)
      },
      shows: invoiceText('seemsPaid'),
    },
    {
      name: 'invoice-refused',
      async reach(stage) {
        const { reference, path } = await issueInvoice(stage.server)
        await seeInvoice(stage, reference)
        await expect(payInvoiceButton(stage.page)).toBeVisible()
        await stage.server.remove(path)
        await payInvoiceButton(stage.page).click()
      },
      shows: invoiceText('notFetched'),
    },
    {
      name: 'invoice-payment',
      at: { invoice: 'awaitingCard' },
      async reach(stage) {
        await seeInvoice(stage, (await issueInvoice(stage.server)).reference)
        await payInvoiceButton(stage.page).click()
        await expect(payButton(stage.page)).toBeEnabled()
      },
      shows: cardNumber,
    },
    {
      name: 'invoice-receipt',
      async reach(stage) {
        const { page } = stage
        await openPaidInvoices(stage)
        const paid = page.getByRole('region', { name: invoiceWords.paidList })
        await paid.getByRole('button').first().click()
      },
      shows: ({ page }) => page.getByRole('dialog', { name: invoiceWords.receipt }),
    },
  ],
}

/** Invoices that the person paid, of each currency. */
async function openPaidInvoices(stage: Stage) {
  const person = await register(stage)
  for (const [index, [supplier, amount, currency]] of PAID_INVOICES.entries()) {
    const createdAt = new Date(Date.now() - index * 20 * 24 * HOUR)
    const id = `pi_3Nfacture${index}${person.uid.slice(0, 10)}`
    await writePaidInvoice(stage, id, {
      payerId: person.uid,
      supplier,
      reference: `${supplier.toUpperCase()}-2026-${1000 + index}`,
      amount,
      currency,
      dueDate: '2026-11-30',
      createdAt,
    })
  }
  await signInAs(stage, person)
  await openInvoices(stage.page)
}

const writePaidInvoice = (
  { server }: Stage,
  id: string,
  payment: { readonly supplier: string; readonly createdAt: Date; readonly [field: string]: unknown },
) =>
  server.write(`invoicePayments/${id}`, {
    id,
    type: 'electricity',
    status: 'completed',
    description: `Invoice of ${payment.supplier}`,
    paymentMethod: 'card',
    settledAt: payment.createdAt,
    ...payment,
  })

const PAID_INVOICES = [
  ['edg', 450_000, 'GNF'],
  ['edf', 84.5, 'EUR'],
  ['hydro-quebec', 63.2, 'CAD'],
] as const

/** Beside invoices that were paid before, the answer about another one. */
async function seeInvoice(stage: Stage, reference: string) {
  await openPaidInvoices(stage)
  await lookUp(stage.page, reference)
}
