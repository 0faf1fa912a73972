import { Hono } from 'hono'
import { html } from 'hono/html'
import type { Firestore } from './firestore/firestore.ts'
import type { WireFields } from './firestore/wire.ts'
import type { Clock } from './standin.ts'

interface Sample {
  readonly supplier: string
  readonly reference: string
  readonly amount: number
  readonly currency: 'EUR' | 'CAD' | 'GNF'
  /** Days from when it is issued; below zero it is overdue. */
  readonly dueIn: number
  readonly status?: 'due' | 'paid'
}

/** One of each supplier, with the reference that the app gives as its example. */
const SAMPLES: readonly Sample[] = [
  { supplier: 'edg', reference: 'EDG-2026-0417', amount: 450_000, currency: 'GNF', dueIn: 9 },
  { supplier: 'edf', reference: '6012-345-678', amount: 84.5, currency: 'EUR', dueIn: 14 },
  { supplier: 'hydro-quebec', reference: 'HQ-299-118', amount: 63.2, currency: 'CAD', dueIn: 5 },
  { supplier: 'seg', reference: 'SEG-88-2041', amount: 120_000, currency: 'GNF', dueIn: -12 },
  { supplier: 'veolia', reference: 'V-7731-20', amount: 41.9, currency: 'EUR', dueIn: -20, status: 'paid' },
  { supplier: 'orange-guinee', reference: 'OG-620-1187', amount: 75_000, currency: 'GNF', dueIn: 3 },
  { supplier: 'bell', reference: 'B-514-9021', amount: 55, currency: 'CAD', dueIn: -2 },
  { supplier: 'free', reference: 'FR-0042-17', amount: 29.99, currency: 'EUR', dueIn: 1 },
  { supplier: 'videotron', reference: 'VT-11-4402', amount: 70, currency: 'CAD', dueIn: 12 },
  { supplier: 'sainte-marie', reference: 'LSM-2026-T2-15', amount: 2_500_000, currency: 'GNF', dueIn: 30 },
  { supplier: 'kofi-annan', reference: 'UKA-26-0093', amount: 4_800_000, currency: 'GNF', dueIn: 21 },
]

const DAY = 24 * 3_600_000

/** The suppliers' side: invoices to try out, some due, some overdue, one paid. */
export function createInvoices({
  projectId,
  firestore,
  clock,
}: {
  projectId: string
  firestore: Pick<Firestore, 'app' | 'documents'>
  clock: Clock
}) {
  const database = `projects/${projectId}/databases/(default)`

  /** Writes every sample as it was issued, over what became of it. */
  async function issue() {
    const writes = SAMPLES.map((sample) => ({
      update: {
        name: `${database}/documents/invoices/${sample.supplier}_${sample.reference}`,
        fields: fieldsOf(sample, clock.now()),
      },
    }))
    const response = await firestore.app.request(`/v1/${database}/documents:commit`, {
      method: 'POST',
      headers: { authorization: 'Bearer owner' },
      body: JSON.stringify({ writes }),
    })
    if (!response.ok) throw new Error(`The invoices could not be issued: ${await response.text()}`)
  }

  const app = new Hono()
  app.post('/invoices', async (c) => {
    await issue()
    return c.redirect('/sandbox#invoices', 303)
  })

  const section = () => {
    const issued = Object.entries(firestore.documents()).filter(([path]) => path.startsWith('invoices/'))
    return html`<h2 id="invoices">Invoices</h2>
      <p>What suppliers ask for, by supplier and reference. Paying one marks it as paid.</p>
      <ul>
        ${issued.map(([path, { amount, currency, dueDate, status, heldBy }]) => {
          const [supplier, reference] = path.slice('invoices/'.length).split('_')
          return html`<li>
            ${supplier} <code>${reference}</code> — ${amount} ${currency}, due by ${dueDate}:
            <strong>${heldBy ? 'being paid' : status}</strong>
          </li>`
        })}
      </ul>
      <form method="post" action="/sandbox/invoices">
        <p><button>Issue the samples anew</button></p>
      </form>`
  }

  return { app, issue, section }
}

function fieldsOf({ amount, currency, dueIn, status = 'due' }: Sample, now: number): WireFields {
  const dueDate = new Date(now + dueIn * DAY).toISOString().slice(0, 10)
  return {
    amount: Number.isInteger(amount) ? { integerValue: String(amount) } : { doubleValue: amount },
    currency: { stringValue: currency },
    dueDate: { stringValue: dueDate },
    status: { stringValue: status },
  }
}
