import { expect, test } from 'vitest'
import { createSandbox, SANDBOX_PROJECT } from './sandbox.ts'

const NOW = Date.UTC(2026, 10, 20, 12)
function fresh() {
  const sandbox = createSandbox({ origin: () => 'http://localhost', clock: { now: () => NOW } })
  async function store(path: string, fields: Readonly<Record<string, string>>) {
    const name = `projects/${SANDBOX_PROJECT}/databases/(default)/documents/${path}`
    const mask = Object.keys(fields).map((field) => `updateMask.fieldPaths=${field}`)
    const values = Object.entries(fields).map(([field, stringValue]) => [field, { stringValue }])
    const stored = await sandbox.app.request(`/v1/${name}?${mask.join('&')}`, {
      method: 'PATCH',
      headers: { authorization: 'Bearer owner' },
      body: JSON.stringify({ fields: Object.fromEntries(values) }),
    })
    expect(stored.status).toBe(200)
  }
  return { ...sandbox, store }
}

test('the sandbox issues invoices that are due, overdue and paid', async () => {
  const { invoices, firestore } = fresh()
  await invoices.issue()
  expect(firestore.documents()['invoices/edf_6012-345-678']).toEqual({
    amount: 84.5,
    currency: 'EUR',
    dueDate: '2026-12-04',
    status: 'due',
  })
  const all = Object.values(firestore.documents())
  expect(all.filter(({ status }) => status === 'paid')).toHaveLength(1)
  expect(
    all.filter(({ status, dueDate }) => status === 'due' && String(dueDate) < '2026-11-20'),
  ).toHaveLength(2)
})

const said = (dueDate: string, situation: string) =>
  new RegExp(`edf <code>6012-345-678</code> — 84.5 EUR, due by ${dueDate}:\\s+<strong>${situation}<`)

test('the sandbox page shows the invoices, and a button issues them again', async () => {
  const { app, firestore, invoices, store } = fresh()
  await invoices.issue()
  await store('invoices/edf_6012-345-678', { status: 'paid' })
  const page = async () => (await app.request('/sandbox')).text()
  expect(await page()).toMatch(said('2026-12-04', 'paid elsewhere'))
  const posted = await app.request('/sandbox/invoices', { method: 'POST' })
  expect([posted.status, posted.headers.get('location')]).toEqual([303, '/sandbox#invoices'])
  expect(firestore.documents()['invoices/edf_6012-345-678']).toMatchObject({ status: 'due' })
})

test('an invoice paid in the app stays paid when imported again', async () => {
  const { app, firestore, invoices, store } = fresh()
  await invoices.issue()
  const page = async () => (await app.request('/sandbox')).text()
  const importAs = async (as: string, name = 'edf_6012-345-678') =>
    (await app.request(`/sandbox/invoices/${name}`, { method: 'POST', body: new URLSearchParams({ as }) }))
      .status
  await store('invoiceClaims/edf_6012-345-678', { heldBy: 'an attempt' })
  expect(await page()).toMatch(said('2026-12-04', 'being paid'))
  const invoice = { supplier: 'edf', reference: '6012-345-678', dueDate: '2026-12-04' }
  await store('invoicePayments/pi_1', invoice)
  await store('invoices/edf_6012-345-678', { status: 'paid' })
  expect(await importAs('again')).toBe(303)
  expect(firestore.documents()['invoices/edf_6012-345-678']).toEqual({
    amount: 84.5,
    currency: 'EUR',
    dueDate: '2026-12-04',
  })
  expect(await page()).toMatch(said('2026-12-04', 'paid'))
  await store('invoiceClaims/edf_6012-345-678', { heldBy: '' })
  await importAs('redated')
  expect(await page()).toMatch(said('2026-12-07', 'due'))
  await importAs('next')
  expect(await page()).toMatch(said('2027-01-07', 'due'))
  expect([await importAs('never'), await importAs('again', 'edf_nobody')]).toEqual([404, 404])
})
