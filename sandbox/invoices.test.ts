import { expect, test } from 'vitest'
import { createSandbox, SANDBOX_PROJECT } from './sandbox.ts'

const NOW = Date.UTC(2026, 10, 20, 12)
const fresh = () => createSandbox({ origin: () => 'http://localhost', clock: { now: () => NOW } })

test('there are invoices that are due, overdue and paid', async () => {
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

test('they are shown on the page, and issued anew by a button', async () => {
  const { app, firestore, invoices } = fresh()
  await invoices.issue()
  const name = `projects/${SANDBOX_PROJECT}/databases/(default)/documents/invoices/edf_6012-345-678`
  await app.request(`/v1/${name}?updateMask.fieldPaths=status`, {
    method: 'PATCH',
    headers: { authorization: 'Bearer owner' },
    body: JSON.stringify({ fields: { status: { stringValue: 'paid' } } }),
  })
  const page = async () => (await app.request('/sandbox')).text()
  expect(await page()).toMatch(/edf <code>6012-345-678<\/code> — 84.5 EUR, due by 2026-12-04:\s+<strong>paid/)
  const posted = await app.request('/sandbox/invoices', { method: 'POST' })
  expect([posted.status, posted.headers.get('location')]).toEqual([303, '/sandbox#invoices'])
  expect(firestore.documents()['invoices/edf_6012-345-678']).toMatchObject({ status: 'due' })
})
