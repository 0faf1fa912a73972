import { expect, test } from 'vitest'
import { DAY, MINUTE } from '../../../domain/common/duration.ts'
import { enableSimulatedProvider } from '../../testing/deliveries.ts'
import { resetWorldForEachTest, world } from '../../testing/emptyWorld.ts'
import { buildTransferRequest, WORLD_START } from '../../testing/world.ts'
import { runDueWork } from '../endpoints/dueWork.ts'
import { advanceDelivery } from './deliver.ts'

resetWorldForEachTest()

function createPastTransfers(uid: string, transfers: number) {
  const { firestore } = world.sandbox
  const { documents } = firestore.dump()
  const [template] = Object.entries(documents).filter(([path]) => path.startsWith('transactions/'))
  if (!template) throw new Error('There is no transfer to copy')
  const copies = Array.from({ length: transfers }, (_, i) => {
    const createdAt = { timestampValue: new Date(WORLD_START - (30 + i) * DAY).toISOString() }
    const fields = { ...template[1].fields, senderId: { stringValue: uid }, createdAt, settledAt: createdAt }
    return [`transactions/past-${i}`, { ...template[1], fields }] as const
  })
  firestore.load({ documents: { ...documents, ...Object.fromEntries(copies) } })
}

async function transfer(
  uid: string,
  changes: Parameters<typeof buildTransferRequest>[1] = {},
  card?: string,
) {
  const token = await world.token(uid)
  const request = buildTransferRequest(uid, changes)
  const started = await world.invoke('create-payment-intent', request, { token })
  await world.pay(String(started.body.paymentIntentId), card)
  const recorded = await world.invoke('record-transfer', { attemptId: request.attemptId }, { token })
  expect([started.status, recorded.status, recorded.body.outcome]).toEqual([200, 200, 'paid'])
  const event = world.sandbox.stripe.events().findLast(({ type }) => type === 'payment_intent.succeeded')
  expect(await world.deliver(event ?? {})).toMatchObject({ status: 200 })
  return String(started.body.paymentIntentId)
}

async function countDatabaseCost(work: () => Promise<unknown>) {
  const before = world.sandbox.firestore.counts()
  await work()
  const { reads, writes } = world.sandbox.firestore.counts()
  return { reads: reads - before.reads, writes: writes - before.writes }
}

test.each(['first', 'second'])(
  'the %s transfer costs as much after 10,000 transfers as after none',
  async (nth) => {
    const [fresh, old] = [await world.person(), await world.person()]
    await transfer(await world.person())
    createPastTransfers(old, 10_000)
    if (nth === 'second') for (const uid of [fresh, old]) await transfer(uid)
    const without = await countDatabaseCost(() => transfer(fresh))
    const withHistory = await countDatabaseCost(() => transfer(old))
    process.stdout.write(
      `The ${nth} transfer of a month: ${without.reads} reads and ${without.writes} writes for somebody new, ${withHistory.reads} and ${withHistory.writes} after 10,000 transfers\n`,
    )
    expect(withHistory).toEqual(without)
  },
)

/** The payer makes two of the calls to Stripe. */
async function countServiceCalls(work: () => Promise<void>) {
  const before = world.requests.length
  const { reads, writes } = await countDatabaseCost(work)
  const calls = world.requests.slice(before)
  const count = (path: RegExp) => calls.filter((request) => path.test(request)).length
  return { reads, writes, stripe: count(/ \/v1\/(?!projects)/), mtn: count(/ \/disbursement\/v1_0/) }
}

/** A sender each: transfers of several senders by one card would be held. */
const CARDS = ['pm_card_visa', 'pm_card_mastercard', 'pm_card_amex', 'pm_card_fr', 'pm_card_ca']

const DEPLOYMENTS = {
  idle: { senders: 1, sentBefore: DAY },
  busy: { senders: CARDS.length, sentBefore: 2 * MINUTE },
} as const

// docs/scale.md relies on these numbers. A sender has sent before, to another number.
test.each([
  ['idle', 'recorded', { reads: 25, writes: 11, stripe: 8, mtn: 0 }],
  ['idle', 'delivered', { reads: 36, writes: 25, stripe: 11, mtn: 3 }],
  ['busy', 'recorded', { reads: 26, writes: 11, stripe: 8, mtn: 0 }],
  ['busy', 'delivered', { reads: 38, writes: 25, stripe: 11, mtn: 3 }],
] as const)('a transfer (%s deployment) costs as documented until %s', async (load, outcome, expected) => {
  const { senders, sentBefore } = DEPLOYMENTS[load]
  if (outcome === 'delivered') world.payOutAsDeployed()
  world.sandbox.mtn.addBalance(1_000_000_000)
  const uids: string[] = []
  for (let n = 0; n < senders; n += 1) uids.push(await world.person())
  const sendAll = async (round: number) => {
    for (const [n, uid] of uids.entries())
      await transfer(
        uid,
        { recipientPhone: `+2246600000${round}${n}`, receivingMethod: 'mtn_money' },
        CARDS[n],
      )
    world.pass(2 * MINUTE)
    await runDueWork(world.context)
  }
  await sendAll(0)
  world.pass(sentBefore - 2 * MINUTE)
  await runDueWork(world.context)
  const alone = await countServiceCalls(async () => void (await runDueWork(world.context)))
  const cost = await countServiceCalls(() => sendAll(1))
  const own = (Object.keys(cost) as (keyof typeof cost)[]).map((name) => [
    name,
    Math.round((cost[name] - alone[name]) / senders),
  ])
  expect(Object.fromEntries(own)).toEqual(expected)
})

test('a payout costs as much after 1,000 transfers as after none', async () => {
  enableSimulatedProvider()
  const paidOut = async (uid: string) => {
    const id = await transfer(uid)
    world.pass(MINUTE)
    expect(await advanceDelivery(world.context, id)).toBe('delivered')
  }
  const [fresh, old] = [await world.person(), await world.person()]
  await paidOut(await world.person())
  createPastTransfers(old, 1_000)
  const without = await countDatabaseCost(() => paidOut(fresh))
  const withHistory = await countDatabaseCost(() => paidOut(old))
  process.stdout.write(
    `Paid out and delivered: ${without.reads} reads and ${without.writes} writes for somebody new, ${withHistory.reads} and ${withHistory.writes} after 1,000 transfers\n`,
  )
  expect(withHistory).toEqual(without)
})
