import { expect, test } from 'vitest'
import { testInEmptyWorld, world } from './testing/emptyWorld.ts'
import { requestOf, START } from './testing/world.ts'

testInEmptyWorld()

const DAY = 24 * 3_600_000

/** Gives somebody a past of so many transfers, one a day, up to the month before this one. */
function giveHistory(uid: string, transfers: number) {
  const { firestore } = world.sandbox
  const { documents } = firestore.dump()
  const [template] = Object.entries(documents).filter(([path]) => path.startsWith('transactions/'))
  if (!template) throw new Error('There is no transfer to copy')
  const copies = Array.from({ length: transfers }, (_, i) => {
    const createdAt = { timestampValue: new Date(START - (30 + i) * DAY).toISOString() }
    const fields = { ...template[1].fields, senderId: { stringValue: uid }, createdAt, settledAt: createdAt }
    return [`transactions/past-${i}`, { ...template[1], fields }] as const
  })
  firestore.load({ documents: { ...documents, ...Object.fromEntries(copies) } })
}

/** One transfer from the form to its receipt, its webhook included. */
async function transfer(uid: string) {
  const token = await world.token(uid)
  const request = requestOf(uid)
  const started = await world.invoke('create-payment-intent', request, { token })
  await world.pay(String(started.body.paymentIntentId))
  const recorded = await world.invoke('record-transfer', { attemptId: request.attemptId }, { token })
  expect([started.status, recorded.status, recorded.body.outcome]).toEqual([200, 200, 'paid'])
  const told = world.sandbox.stripe.events().findLast(({ type }) => type === 'payment_intent.succeeded')
  expect(await world.deliver(told ?? {})).toMatchObject({ status: 200 })
}

/** Document reads and writes, as the sandbox bills them. */
async function costOf(work: () => Promise<void>) {
  const before = world.sandbox.firestore.counts()
  await work()
  const { reads, writes } = world.sandbox.firestore.counts()
  return { reads: reads - before.reads, writes: writes - before.writes }
}

test.each(['first', 'second'])(
  'the %s transfer of a month costs the same whatever was before it',
  async (nth) => {
    const [fresh, old] = [await world.person(), await world.person()]
    await transfer(await world.person())
    giveHistory(old, 10_000)
    if (nth === 'second') for (const uid of [fresh, old]) await transfer(uid)
    const without = await costOf(() => transfer(fresh))
    const withHistory = await costOf(() => transfer(old))
    process.stdout.write(
      `The ${nth} transfer of a month: ${without.reads} reads and ${without.writes} writes for somebody new, ${withHistory.reads} and ${withHistory.writes} after 10,000 transfers\n`,
    )
    expect(withHistory).toEqual(without)
  },
)
