import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { lookUpInvoice } from '../../netlify/server/endpoints/lookUpInvoice.ts'
import { payInvoice } from '../../netlify/server/endpoints/payInvoice.ts'
import { recordTransfer } from '../../netlify/server/endpoints/recordTransfer.ts'
import { createWorld, type World } from '../../netlify/testing/world.ts'
import { allowInvoice, showInvoice } from './invoice.ts'

let world: World
beforeAll(async () => {
  world = await createWorld()
})
beforeEach(() => world.reset())
afterAll(() => world.close())

const BILL = { supplier: 'edf', reference: '6012-1001' }
const issue = (changes: object = {}) =>
  world.context.db
    .doc('invoices/edf_6012-1001')
    .set({ amount: 84.5, currency: 'EUR', dueDate: '2026-11-30', ...changes })
const show = () => showInvoice(world.context, 'edf', '6012-1001')
const allow = async (dueDate: string) =>
  (await allowInvoice(world.context, 'edf', '6012-1001', dueDate)).lines[0]

async function begin(uid: string) {
  const attemptId = crypto.randomUUID()
  const stored = await world.context.db.doc('invoices/edf_6012-1001').get()
  const expected = { amount: 8450, currency: 'EUR' as const, dueDate: stored.get('dueDate') ?? '2026-11-30' }
  const begun = await payInvoice(world.context, { uid }, { attemptId, ...BILL, expected })
  return {
    code: begun.ok ? null : begun.error.code,
    id: begun.ok ? begun.value.paymentIntentId : '',
    attemptId,
  }
}

async function pay(uid: string): Promise<string> {
  const { id, attemptId } = await begin(uid)
  await world.pay(id)
  await recordTransfer(world.context, { uid }, { attemptId })
  return id
}

const paid = (dueDate: string, uid: string, id: string) =>
  `The invoice due by ${dueDate} was paid at 2026-11-20 12:00:00 UTC by user ${uid}: €84.50, ${id}.`
const asked = (dueDate: string) => `Invoice 6012-1001 of EDF: its supplier asks for €84.50 by ${dueDate}.`

test('allowInvoice lets an invoice with a new due date be paid once', async () => {
  const uid = await world.person()
  await issue()
  expect(await show()).toEqual([asked('2026-11-30'), 'It can be paid.'])
  const first = await pay(uid)
  await issue({ dueDate: '2026-12-10' })
  expect((await begin(uid)).code).toBe('invoiceSeemsPaid')
  expect(await show()).toEqual([
    asked('2026-12-10'),
    paid('2026-11-30', uid, first),
    "It can't be paid, because it seems to be the invoice due by 2026-11-30 with a changed date. If its supplier says that it is another invoice: npm run ops -- invoice allow edf 6012-1001 2026-12-10",
  ])

  expect(await allow('2026-12-11')).toBe("Nothing was changed: its supplier's invoice has another due date.")
  expect(await allow('2026-12-10')).toBe('Done: this invoice can be paid once.')
  expect(await allow('2026-12-10')).toBe(
    'Nothing was changed: no recorded payment prevents it from being paid.',
  )
  expect((await show()).slice(2)).toEqual([
    'An operator has allowed the invoice due by 2026-12-10 to be paid again.',
    'It can be paid.',
  ])
  const second = await pay(uid)
  const lines = await show()
  expect(lines).toContain(paid('2026-12-10', uid, second))
  expect(lines.at(-1)).toBe(
    'It counts as paid. To allow another payment: npm run ops -- invoice allow edf 6012-1001 2026-12-10',
  )
  expect((await begin(uid)).code).toBe('invoiceAlreadyPaid')
})

test('paying the same invoice uses up the permission', async () => {
  const uid = await world.person()
  await issue({ dueDate: '2026-11-01' })
  await pay(uid)
  await issue({ dueDate: '2026-11-18' })
  expect(await allow('2026-11-18')).toBe('Done: this invoice can be paid once.')
  // This date is far enough from the paid one, and close enough to the allowed one to match it.
  await issue({ dueDate: '2026-11-24' })
  await pay(uid)
  await issue({ dueDate: '2026-11-18' })
  expect((await begin(uid)).code).toBe('invoiceSeemsPaid')
  expect(await show()).not.toContainEqual(expect.stringMatching(/^An operator allows/))
})

test('allowInvoice lets a paid invoice be paid again', async () => {
  const uid = await world.person()
  await issue()
  await pay(uid)
  expect((await begin(uid)).code).toBe('invoiceAlreadyPaid')
  await allow('2026-11-30')
  expect((await begin(uid)).code).toBeNull()
  expect((await show()).at(-1)).toMatch(/^The attempt [0-9a-f]{64} is paying it\. If the attempt ends unpaid/)
})

test('allowInvoice refuses an invoice that is paid or not listed', async () => {
  const uid = await world.person()
  expect(await show()).toEqual([
    'Invoice 6012-1001 of EDF: its supplier has no valid invoice with this reference now.',
  ])
  expect(await allow('2026-11-30')).toBe("Nothing was changed: its supplier's invoice has another due date.")
  await issue({ status: 'paid' })
  expect((await show()).at(-1)).toMatch(/^It counts as paid: its supplier reports a payment made elsewhere/)
  expect(await allow('2026-11-30')).toMatch(/^Nothing was changed/)
  expect(await lookUpInvoice(world.context, { uid }, BILL)).toMatchObject({
    value: { invoice: { status: 'paid' } },
  })
})
