import { expect, test } from 'vitest'
import { DAY, MINUTE } from '../domain/duration.ts'
import { sweep } from './server/endpoints/sweep.ts'
import { deliver } from './server/payouts/deliver.ts'
import { mtn } from './testing/deliveries.ts'
import { testInEmptyWorld, world } from './testing/emptyWorld.ts'
import { requestOf, START } from './testing/world.ts'

testInEmptyWorld()

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
async function transfer(uid: string, changes: Parameters<typeof requestOf>[1] = {}) {
  const token = await world.token(uid)
  const request = requestOf(uid, changes)
  const started = await world.invoke('create-payment-intent', request, { token })
  await world.pay(String(started.body.paymentIntentId))
  const recorded = await world.invoke('record-transfer', { attemptId: request.attemptId }, { token })
  expect([started.status, recorded.status, recorded.body.outcome]).toEqual([200, 200, 'paid'])
  const told = world.sandbox.stripe.events().findLast(({ type }) => type === 'payment_intent.succeeded')
  expect(await world.deliver(told ?? {})).toMatchObject({ status: 200 })
  return String(started.body.paymentIntentId)
}

/** Document reads and writes, as the sandbox bills them. */
async function costOf(work: () => Promise<unknown>) {
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

/** The same, and the calls to Stripe (two of them the payer's own) and to MTN. */
async function askedBy(work: () => Promise<void>) {
  const before = world.requests.length
  const { reads, writes } = await costOf(work)
  const calls = world.requests.slice(before)
  const count = (path: RegExp) => calls.filter((request) => path.test(request)).length
  return { reads, writes, stripe: count(/ \/v1\/(?!projects)/), mtn: count(/ \/disbursement\/v1_0/) }
}

// docs/scale.md reckons with these.
test.each([
  ['is recorded', false, { reads: 28, writes: 11, stripe: 7, mtn: 0 }],
  ['is recorded, handed over and delivered', true, { reads: 36, writes: 18, stripe: 10, mtn: 2 }],
] as const)('a transfer that %s asks no more of the services than it did', async (_, isPaidOut, expected) => {
  if (isPaidOut) world.payOutAsDeployed()
  const changes = { recipientPhone: '+224660000000', receivingMethod: 'mtn_money' } as const
  const uid = await world.person()
  await transfer(uid, { ...changes, recipientPhone: '+224660000001' })
  world.pass(2 * MINUTE)
  await sweep(world.context)
  const alone = await askedBy(async () => void (await sweep(world.context)))
  const cost = await askedBy(async () => {
    await transfer(uid, changes)
    world.pass(2 * MINUTE)
    await sweep(world.context)
  })
  const own = (Object.keys(cost) as (keyof typeof cost)[]).map((name) => [name, cost[name] - alone[name]])
  expect(Object.fromEntries(own)).toEqual(expected)
})

test('a transfer that is paid out costs the same whatever was before it', async () => {
  mtn()
  const paidOut = async (uid: string) => {
    const id = await transfer(uid)
    world.pass(MINUTE)
    expect(await deliver(world.context, id)).toBe('delivered')
  }
  const [fresh, old] = [await world.person(), await world.person()]
  await paidOut(await world.person())
  giveHistory(old, 1_000)
  const without = await costOf(() => paidOut(fresh))
  const withHistory = await costOf(() => paidOut(old))
  process.stdout.write(
    `Paid out and delivered: ${without.reads} reads and ${without.writes} writes for somebody new, ${withHistory.reads} and ${withHistory.writes} after 1,000 transfers\n`,
  )
  expect(withHistory).toEqual(without)
})
