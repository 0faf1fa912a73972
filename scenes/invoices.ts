import { DAY } from '../domain/common/duration.ts'
import { err } from '../domain/common/result.ts'
import { buildInvoicePayment, type Invoice } from '../domain/invoices/invoice.ts'
import { fromMajor } from '../domain/money/money.ts'
import { arrange, buildDraft, invoice, startEditing } from '../machines/testing/invoiceSituations.ts'
import { AWA, refuseWith } from './fixtures.ts'
import { captureSnapshot, inState } from './machines.ts'
import { IN_APP_STATES, SCENE_TIME, type Scene } from './scene.ts'

const onPage = { at: { ...IN_APP_STATES, invoice: 'editing' }, account: AWA, page: 'invoices' } as const

export const PAID_INVOICES = [
  { supplier: 'edg', amount: fromMajor(450_000, 'GNF') },
  { supplier: 'edf', amount: fromMajor(84.5, 'EUR') },
  { supplier: 'hydro-quebec', amount: fromMajor(63.2, 'CAD') },
].map(({ supplier, amount }, index) => {
  const at = SCENE_TIME - index * 20 * DAY
  return buildInvoicePayment(
    {
      supplier,
      amount,
      reference: `${supplier.toUpperCase()}-2026-${1000 + index}`,
      type: 'electricity',
      dueDate: '2026-11-30',
      status: 'paid',
    },
    { id: `pi_3Nfacture${index}`, payerId: AWA.uid, payerName: 'Awa Diallo', createdAt: at, settledAt: at },
  )
})

const withPaid = { ...onPage, rows: { invoicePayments: PAID_INVOICES } } as const

const found = (change: Partial<Invoice>) => ({
  ...withPaid,
  snapshots: { invoice: captureSnapshot(() => startEditing(buildDraft({ ...invoice, ...change }))) },
})

export const INVOICES_SCENES: readonly Scene[] = [
  {
    ...onPage,
    name: 'invoices-errors',
    async act({ press, see }) {
      await see('Aucune facture payée')
      await press('Voir la facture')
    },
    shows: 'Choisissez un fournisseur et saisissez un numéro de référence',
  },
  {
    ...withPaid,
    name: 'invoice-not-found',
    answers: { invoices: { lookUpInvoice: refuseWith('invoiceNotFound') } },
    act: ({ submit }) =>
      submit({ Fournisseur: 'edf', 'Numéro de référence': '6012-NOBODY' }, 'Voir la facture'),
    shows: 'Les détails de la facture n’ont pas pu être obtenus',
  },
  { ...found({ dueDate: '2026-11-17' }), name: 'invoice-overdue' },
  { ...found({ status: 'paid' }), name: 'invoice-paid' },
  { ...found({ status: 'processing' }), name: 'invoice-under-way' },
  { ...found({ status: 'seemsPaid' }), name: 'invoice-seems-paid' },
  {
    ...withPaid,
    name: 'invoice-refused',
    ...inState('invoice', 'editing', arrange.reserving, ({ reserve }) =>
      reserve.answer(err({ kind: 'invoiceNotFound' })),
    ),
  },
  { ...withPaid, ...inState('invoice', 'awaitingCard', arrange.awaitingCard), name: 'invoice-payment' },
  {
    ...onPage,
    name: 'invoices-unread',
    rows: {
      invoicePayments: PAID_INVOICES,
      unread: [{ id: 'pi_3Nnouveau0003', list: 'invoicePayments', build: '' }],
    },
  },
  { ...withPaid, name: 'invoice-receipt', act: ({ press }) => press('Électricité de Guinée') },
]
