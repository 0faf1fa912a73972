import { Hono } from 'hono'
import { html } from 'hono/html'
import type { Clock } from 'service-emulators'
import type { FirestoreEmulator, WireFields } from 'service-emulators/firestore'
import { listDocuments, writeDocument } from './documents.ts'

interface Issue {
  readonly amount: number
  readonly currency: string
  /** 'YYYY-MM-DD'. */
  readonly dueDate: string
  /** Many suppliers omit the status of a due invoice. */
  readonly status?: 'due' | 'paid'
}

interface Sample extends Omit<Issue, 'dueDate'> {
  readonly supplier: string
  readonly reference: string
  /** From the issue; negative for an overdue invoice. */
  readonly dueDays: number
}

const SAMPLES: readonly Sample[] = [
  { supplier: 'edg', reference: 'EDG-2026-0417', amount: 450_000, currency: 'GNF', dueDays: 9 },
  { supplier: 'edf', reference: '6012-345-678', amount: 84.5, currency: 'EUR', dueDays: 14 },
  { supplier: 'hydro-quebec', reference: 'HQ-299-118', amount: 63.2, currency: 'CAD', dueDays: 5 },
  { supplier: 'seg', reference: 'SEG-88-2041', amount: 120_000, currency: 'GNF', dueDays: -12 },
  { supplier: 'veolia', reference: 'V-7731-20', amount: 41.9, currency: 'EUR', dueDays: -20, status: 'paid' },
  { supplier: 'orange-guinee', reference: 'OG-620-1187', amount: 75_000, currency: 'GNF', dueDays: 3 },
  { supplier: 'bell', reference: 'B-514-9021', amount: 55, currency: 'CAD', dueDays: -2 },
  { supplier: 'free', reference: 'FR-0042-17', amount: 29.99, currency: 'EUR', dueDays: 1 },
  { supplier: 'videotron', reference: 'VT-11-4402', amount: 70, currency: 'CAD', dueDays: 12 },
  { supplier: 'sainte-marie', reference: 'LSM-2026-T2-15', amount: 2_500_000, currency: 'GNF', dueDays: 30 },
  { supplier: 'kofi-annan', reference: 'UKA-26-0093', amount: 4_800_000, currency: 'GNF', dueDays: 21 },
]

const DAY = 24 * 3_600_000

/** `days`: how far the due date moves. */
const IMPORTS = {
  again: { label: 'Import again', days: 0 },
  redated: { label: 'Import with a due date 3 days later', days: 3 },
  next: { label: 'Import the next one, due 31 days later', days: 31 },
} as const

export function createInvoiceSection({
  projectId,
  firestore,
  clock,
}: {
  projectId: string
  firestore: Pick<FirestoreEmulator, 'app' | 'documents'>
  clock: Clock
}) {
  async function write(name: string, invoice: Issue) {
    const response = await writeDocument(firestore, projectId, `invoices/${name}`, toInvoiceFields(invoice))
    if (!response.ok) throw new Error(`The invoice could not be issued: ${await response.text()}`)
  }

  async function issue() {
    for (const { supplier, reference, dueDays, status = 'due', ...sample } of SAMPLES)
      await write(`${supplier}_${reference}`, {
        ...sample,
        status,
        dueDate: toDay(clock.now() + dueDays * DAY),
      })
  }

  const app = new Hono()
  app.post('/invoices', async (c) => {
    await issue()
    return c.redirect('/sandbox#invoices', 303)
  })

  app.post('/invoices/:name', async (c) => {
    const name = c.req.param('name')
    const { as = '' } = await c.req.parseBody()
    const before = firestore.documents()[`invoices/${name}`]
    const chosen = IMPORTS[String(as) as keyof typeof IMPORTS]
    if (!before || !chosen) return c.notFound()
    const dueDate = toDay(Date.parse(String(before.dueDate)) + chosen.days * DAY)
    await write(name, { amount: Number(before.amount), currency: String(before.currency), dueDate })
    return c.redirect('/sandbox#invoices', 303)
  })

  /** The product's own records take precedence over the invoice. */
  function getInvoiceState(name: string, { dueDate, status }: Record<string, unknown>): string {
    const documents = firestore.documents()
    const payments = listDocuments(firestore, 'invoicePayments').filter(
      ({ supplier, reference }) => `${supplier}_${reference}` === name,
    )
    if (payments.some((paid) => paid.dueDate === dueDate)) return 'paid'
    if (documents[`invoiceClaims/${name}`]?.heldBy) return 'being paid'
    return status === 'paid' ? 'paid elsewhere' : 'due'
  }

  const section = () => {
    return html`<h2 id="invoices">Invoices</h2>
      <p>
        Suppliers' invoices, by supplier and reference. A supplier's system can import an invoice again at any time; one
        that was paid stays paid, by its due date.
      </p>
      <ul>
        ${listDocuments(firestore, 'invoices').map((invoice) => {
          const name = String(invoice.id)
          const [supplier, reference] = name.split('_')
          return html`<li>
            ${supplier} <code>${reference}</code> — ${invoice.amount} ${invoice.currency}, due by ${invoice.dueDate}:
            <strong>${getInvoiceState(name, invoice)}</strong>
            <form method="post" action="/sandbox/invoices/${name}">
              ${Object.entries(IMPORTS).map(
                ([value, { label }]) => html`<button name="as" value="${value}">${label}</button> `,
              )}
            </form>
          </li>`
        })}
      </ul>
      <form method="post" action="/sandbox/invoices">
        <p><button>Issue the samples again</button></p>
      </form>`
  }

  return { app, issue, section }
}

const toDay = (ms: number) => new Date(ms).toISOString().slice(0, 10)

function toInvoiceFields({ amount, currency, dueDate, status }: Issue): WireFields {
  return {
    amount: Number.isInteger(amount) ? { integerValue: String(amount) } : { doubleValue: amount },
    currency: { stringValue: currency },
    dueDate: { stringValue: dueDate },
    ...(status && { status: { stringValue: status } }),
  }
}
