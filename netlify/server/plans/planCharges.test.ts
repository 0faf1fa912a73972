import { expect, test } from 'vitest'
import { DAY, MINUTE } from '../../../domain/common/duration.ts'
import { getBalance, listEntries, sumEntries } from '../../../domain/journal/balances.ts'
import { resetWorldForEachTest, world } from '../../testing/emptyWorld.ts'
import { checkStripeBooks } from '../../testing/journalInvariants.ts'
import { activatePlan } from '../../testing/plans.ts'
import { runDueWork } from '../endpoints/dueWork.ts'
import { journal, parseJournalDocument } from '../platform/journal.ts'
import { reconcilePlan } from './plans.ts'

resetWorldForEachTest()

async function readBooks() {
  const { docs } = await journal(world.context.db).get()
  const balances = sumEntries(listEntries(docs.flatMap((one) => parseJournalDocument(one) ?? [])))
  checkStripeBooks(await world.records(), world.sandbox.stripe)
  return {
    documents: docs.length,
    plans: 0 - getBalance(balances, 'EUR', 'revenues:plans'),
    fees: getBalance(balances, 'EUR', 'expenses:stripe'),
  }
}

const charges = () => world.sandbox.stripe.charges().map(({ amount }) => amount)
const total = (amounts: readonly number[]) => amounts.reduce((sum, amount) => sum + amount, 0)

test('a plan’s charge is booked once, with Stripe’s fee @spec-journal', async () => {
  await activatePlan(await world.person())
  const paid = world.sandbox.stripe.events().find(({ type }) => type === 'invoice.paid')
  for (let copies = 0; copies < 3; copies += 1)
    expect(await world.deliver(paid ?? {})).toMatchObject({ status: 200 })
  const booked = await readBooks()
  expect(booked).toMatchObject({ documents: 1, plans: total(charges()) })
  expect(booked.fees).toBeGreaterThan(0)
})

test('the daily check books renewals whose events were lost', async () => {
  await activatePlan(await world.person())
  world.pass(70 * DAY)
  await runDueWork(world.context)
  expect(charges()).toHaveLength(3)
  expect(await readBooks()).toMatchObject({ documents: 3, plans: total(charges()) })
})

test('a booked plan is not asked about again until its renewal', async () => {
  await activatePlan(await world.person())
  world.pass(DAY)
  await runDueWork(world.context)
  const asked = () => world.requests.filter((request) => request === 'GET /v1/invoices').length
  const before = asked()
  world.pass(DAY)
  await runDueWork(world.context)
  expect([before, asked()]).toEqual([1, 1])
})

test('booking keeps the check that a new checkout has requested', async () => {
  const uid = await world.person()
  await activatePlan(uid)
  const customer = world.context.db.doc(`customers/${uid}`)
  const { stripe } = world.context
  async function* list(...asked: Parameters<typeof stripe.invoices.list>) {
    world.pass(MINUTE)
    await customer.update({ checkAt: world.now(), bookedInvoices: ['in_other'] })
    yield* stripe.invoices.list(...asked)
  }
  const invoices = Object.create(stripe.invoices, { list: { value: list } })
  const slow = Object.create(stripe, { invoices: { value: invoices } })
  world.pass(DAY)
  await reconcilePlan({ ...world.context, stripe: slow }, uid)
  const stored = (await customer.get()).data()
  expect(stored?.checkAt).toBe(world.now())
  expect(stored?.bookedInvoices).toEqual(['in_other', expect.stringMatching(/^in_/)])
})

test('a plan’s charge is booked once Stripe knows its fee', async () => {
  await activatePlan(await world.person())
  const { stripe } = world.context
  const retrieve: typeof stripe.charges.retrieve = async (...asked) => ({
    ...(await stripe.charges.retrieve(...asked)),
    balance_transaction: null,
  })
  const charges = Object.create(stripe.charges, { retrieve: { value: retrieve } })
  const early = Object.create(stripe, { charges: { value: charges } })
  world.pass(DAY)
  await runDueWork({ ...world.context, stripe: early })
  expect((await journal(world.context.db).get()).size).toBe(0)
  world.pass(15 * MINUTE)
  await runDueWork(world.context)
  const booked = await readBooks()
  expect(booked.documents).toBe(1)
  expect(booked.fees).toBeGreaterThan(0)
})
