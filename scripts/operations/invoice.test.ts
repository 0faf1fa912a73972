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
const told = () => showInvoice(world.context, 'edf', '6012-1001')
const allow = async (dueDate: string) => (await allowInvoice(world.context, 'edf', '6012-1001', dueDate))[0]

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
  `The one due by ${dueDate} was paid at 2026-11-20 12:00:00 UTC by user ${uid}: €84.50, ${id}.`
const asked = (dueDate: string) => `Invoice 6012-1001 of EDF: its supplier asks for €84.50 by ${dueDate}.`

test('an invoice whose date was changed after it was paid can be paid once, when an operator allows it', async () => {
  const uid = await world.person()
  await issue()
  expect(await told()).toEqual([asked('2026-11-30'), 'It can be paid.'])
  const first = await pay(uid)
  await issue({ dueDate: '2026-12-10' })
  expect((await begin(uid)).code).toBe('invoiceSeemsPaid')
  expect(await told()).toEqual([
    asked('2026-12-10'),
    paid('2026-11-30', uid, first),
    'It seems to be the one due by 2026-11-30, with its date changed, so nobody can pay it. If its supplier says that it is another one: npm run ops -- invoice allow edf 6012-1001 2026-12-10',
  ])

  expect(await allow('2026-12-11')).toBe('Nothing is changed: its supplier asks for no such due date.')
  expect(await allow('2026-12-10')).toBe('Done: it can be paid once.')
  expect(await allow('2026-12-10')).toBe('Nothing is changed: it is not a payment here that is in the way.')
  expect((await told()).slice(2)).toEqual([
    'An operator lets the one due by 2026-12-10 be paid once more.',
    'It can be paid.',
  ])
  const second = await pay(uid)
  const lines = await told()
  expect(lines).toContain(paid('2026-12-10', uid, second))
  expect(lines.at(-1)).toBe(
    'It counts as paid. To let it be paid once more: npm run ops -- invoice allow edf 6012-1001 2026-12-10',
  )
  expect((await begin(uid)).code).toBe('invoiceAlreadyPaid')
})

test('a permission is used up by a payment of the same invoice with any due date', async () => {
  const uid = await world.person()
  await issue({ dueDate: '2026-11-01' })
  await pay(uid)
  await issue({ dueDate: '2026-11-18' })
  expect(await allow('2026-11-18')).toBe('Done: it can be paid once.')
  // Far enough from the one that was paid to be another invoice, and close enough to the allowed one to be that.
  await issue({ dueDate: '2026-11-24' })
  await pay(uid)
  await issue({ dueDate: '2026-11-18' })
  expect((await begin(uid)).code).toBe('invoiceSeemsPaid')
  expect(await told()).not.toContainEqual(expect.stringMatching(/^An operator lets/))
})

test('an invoice that was paid and refunded by hand can be paid once more', async () => {
  const uid = await world.person()
  await issue()
  await pay(uid)
  expect((await begin(uid)).code).toBe('invoiceAlreadyPaid')
  await allow('2026-11-30')
  expect((await begin(uid)).code).toBeNull()
  expect((await told()).at(-1)).toMatch(/^It is being paid by the attempt [0-9a-f]{64}, and is free again/)
})

test('an invoice that its supplier calls paid, or does not ask for, is not allowed', async () => {
  const uid = await world.person()
  expect(await told()).toEqual(['Invoice 6012-1001 of EDF: its supplier has none now that can be read.'])
  expect(await allow('2026-11-30')).toBe('Nothing is changed: its supplier asks for no such due date.')
  await issue({ status: 'paid' })
  expect((await told()).at(-1)).toMatch(
    /^It counts as paid: its supplier says that it was paid in another way/,
  )
  expect(await allow('2026-11-30')).toMatch(/^Nothing is changed/)
  expect(await lookUpInvoice(world.context, { uid }, BILL)).toMatchObject({
    value: { invoice: { status: 'paid' } },
  })
})
