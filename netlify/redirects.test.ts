import { describe, expect, test } from 'vitest'
import { HOUR, MINUTE } from '../domain/duration.ts'
import { byHand } from './server/deliveries/byHand.ts'
import type { Provider } from './server/deliveries/provider.ts'
import { referenceOf } from './server/deliveries/reference.ts'
import { claim } from './server/operations/handPayments.ts'
import { rebuild } from './server/operations/rebuild.ts'
import { redirect } from './server/operations/redirects.ts'
import { deliver, tellDelivery } from './server/payments/deliver.ts'
import { close } from './server/platform/closing.ts'
import { crashAt } from './testing/crashAt.ts'
import { later, order, paid } from './testing/deliveries.ts'
import { testInEmptyWorld, world } from './testing/emptyWorld.ts'
import { START } from './testing/world.ts'

// An operator sends an order to another wallet, because the person who sent the money said so.
testInEmptyWorld({ isMoneyChecked: true })

const said = (wallet: string) => ({ wallet, by: 'Awa', because: 'by mail on 20 November' })
const to = (id: string, wallet = 'mtn_money', context = world.context) => redirect(context, id, said(wallet))
const told = (id: string) => {
  const intent = world.sandbox.stripe.paymentIntents().find((one) => one.id === id)
  return Object.fromEntries(
    Object.entries(intent?.metadata ?? {}).filter(([key]) => key.startsWith('redirect')),
  )
}
const news = async (id: string) => (await world.context.db.doc(`transactions/${id}`).get()).get('delivery')
const take = (id: string) => claim(world.context, { batch: crypto.randomUUID(), by: 'Awa', ids: [id] })
const arrived = (id: string) =>
  tellDelivery(world.context, id, () => ({ type: 'order.arrived', proof: 'PP1', at: world.now() }))

/** MTN pays to one of the two wallets, and people to the other. */
const payBoth = (wallet: string, own: Partial<Provider> = {}) =>
  world.payOutBy({ ...world.payouts.provider, pays: (one) => one === wallet, ...own }, byHand)

/** A transfer to Orange Money that waits, because the account of who pays to that is empty. */
async function waiting() {
  payBoth('orange_money')
  world.payouts.fill(1)
  const { id } = await paid()
  await later()
  expect(await order(id)).toMatchObject({ state: 'waiting', attempt: 2 })
  return id
}

/** A transfer to Orange Money that people are to pay. */
async function due() {
  payBoth('mtn_money')
  return (await paid()).id
}

test('what waits goes to people, who pay to the other wallet, and its provider has heard the last of it @spec-redirect-order', async () => {
  const id = await waiting()
  expect(await to(id)).toMatchObject({ ok: true })
  expect(await order(id)).toMatchObject({
    ...{ state: 'due', wallet: 'mtn_money', provider: 'byHand', isByHand: true, attempt: 3, checkAt: null },
    redirects: [
      {
        ...{ at: START + MINUTE, by: 'Awa', because: 'by mail on 20 November' },
        ...{ from: 'orange_money', wallet: 'mtn_money', provider: 'byHand', attempt: 3 },
      },
    ],
  })
  expect(await news(id)).toMatchObject({ by: 'byHand', redirectedTo: 'mtn_money', isLate: true })
  world.payouts.fill()
  await later(HOUR)
  expect(world.payouts.taken()).toHaveLength(1)
  expect((await take(id))?.get(id)).toBe('claimed')
  await arrived(id)
  expect(await news(id)).toMatchObject({
    ...{ stage: 'delivered', redirectedTo: 'mtn_money', handedOverAt: null, proof: 'PP1' },
  })
})

test('what people were to pay goes to a provider, with a reference of its own, and arrives', async () => {
  const id = await due()
  expect(await to(id)).toMatchObject({ ok: true, value: { state: 'due', provider: 'mtn' } })
  await later()
  await later()
  expect(await order(id)).toMatchObject({ state: 'delivered', wallet: 'mtn_money' })
  expect(world.payouts.taken()).toMatchObject([
    { reference: referenceOf(id, 2), wallet: 'mtn_money', amount: { minor: 1_028_200, currency: 'GNF' } },
  ])
})

test('and back again, as often as the sender says so', async () => {
  const id = await due()
  await to(id)
  await to(id, 'orange_money')
  expect(await order(id)).toMatchObject({ provider: 'byHand', attempt: 3 })
  expect(await news(id)).toMatchObject({ by: 'byHand', redirectedTo: null })
  // Stripe hears of each before anybody pays.
  await take(id)
  expect(told(id)).toEqual({ redirect1: '2 mtn_money mtn', redirect2: '3 orange_money byHand' })
})

describe('is refused, and nothing changes', () => {
  async function refusal(id: string, wallet: string) {
    const before = JSON.stringify(await order(id))
    const answer = await to(id, wallet)
    expect(JSON.stringify(await order(id))).toBe(before)
    return answer.ok ? null : answer.error
  }

  test('to no wallet of the country, to the one where it goes, and where nobody pays', async () => {
    const id = await due()
    expect(await refusal(id, 'wero')).toEqual({
      kind: 'noSuchWallet',
      wallets: ['orange_money', 'mtn_money'],
    })
    expect(await refusal(id, 'orange_money')).toEqual({ kind: 'sameWallet' })
    world.payOutBy({ ...world.payouts.provider, pays: () => false })
    expect(await refusal(id, 'mtn_money')).toEqual({ kind: 'nobodyPays' })
  })

  test('without an order, and while payments are closed', async () => {
    expect(await refusal('pi_nobody', 'mtn_money')).toEqual({ kind: 'noOrder' })
    const id = await due()
    await close(world.context, 'byHand')
    expect(await refusal(id, 'mtn_money')).toEqual({ kind: 'closed' })
  })

  test.each<[string, () => Promise<string>]>([
    [
      'is with its provider',
      async () => {
        payBoth('orange_money')
        world.payouts.will('pending')
        return (await paid()).id
      },
    ],
    [
      'may be with its provider',
      async () => {
        payBoth('orange_money')
        world.payouts.fallSilent('before')
        return (await paid()).id
      },
    ],
    [
      'was refused a moment ago',
      async () => {
        payBoth('orange_money')
        world.payouts.refuse('notSetUp')
        return (await paid()).id
      },
    ],
    [
      'somebody has in hand',
      async () => {
        const id = await due()
        await take(id)
        return id
      },
    ],
    [
      'goes back to the card',
      async () => {
        payBoth('orange_money')
        world.payouts.will('recipientUnknown')
        const { id } = await paid()
        await later()
        return id
      },
    ],
    [
      'has arrived',
      async () => {
        const id = await due()
        await take(id)
        await arrived(id)
        return id
      },
    ],
  ])('what %s', async (_, begin) => {
    const id = await begin()
    expect(await refusal(id, 'mtn_money')).toMatchObject({ kind: 'mayArrive' })
  })
})

test('what was refused goes elsewhere once nothing of it can arrive', async () => {
  payBoth('orange_money')
  world.payouts.refuse('notSetUp')
  const { id } = await paid()
  world.pass(10 * MINUTE)
  expect(await to(id)).toMatchObject({ ok: true, value: { attempt: 2, isByHand: true } })
})

test('what a warning holds goes elsewhere, and is held there', async () => {
  payBoth('mtn_money')
  const { id, settle } = await paid({ isRecorded: false })
  world.sandbox.stripe.warnOfFraud(id)
  await settle()
  expect((await take(id))?.get(id)).toBe('held')
  expect(await to(id)).toMatchObject({ ok: true, value: { state: 'held', wallet: 'mtn_money' } })
  await later()
  expect(world.payouts.taken()).toEqual([])
  await tellDelivery(world.context, id, () => ({ type: 'order.release', cause: null }))
  await later()
  expect(world.payouts.taken()).toMatchObject([{ wallet: 'mtn_money' }])
})

test('whose charge went back goes nowhere', async () => {
  const id = await due()
  world.sandbox.stripe.dispute(id)
  expect(await to(id)).toMatchObject({ ok: false, error: { kind: 'calledOff', order: { state: 'failed' } } })
})

test('a provider that says that it has enough again says it too late', async () => {
  let asked = 0
  const id = await waiting()
  const { api } = world.payouts.provider
  if (!api) throw new Error('A program calls it')
  payBoth('orange_money', {
    api: {
      ...api,
      async balance(currency) {
        asked += 1
        world.payouts.fill()
        expect(await to(id)).toMatchObject({ ok: true })
        return api.balance(currency)
      },
    },
  })
  await later(HOUR)
  expect(asked).toBe(1)
  expect(await order(id)).toMatchObject({ state: 'due', isByHand: true })
  expect(world.payouts.taken()).toHaveLength(1)
})

describe('a process that dies', () => {
  test.each(
    (['before', 'after'] as const).flatMap((when) => [1, 2, 3, 4, 5, 6].map((at) => [when, at] as const)),
  )('%s step %i of redirecting and paying pays once, to the other wallet', async (when, at) => {
    const id = await due()
    const { context } = crashAt(world.context, at, when)
    await to(id, 'mtn_money', context)
      .then(() => deliver(context, id))
      .catch(() => null)
    // The operator asks again: it is done, or it is done now.
    if ((await order(id))?.wallet !== 'mtn_money') expect(await to(id)).toMatchObject({ ok: true })
    expect((await order(id))?.redirects).toHaveLength(1)
    for (let minutes = 0; minutes < 3; minutes += 1) await later()
    expect(await order(id)).toMatchObject({ state: 'delivered', wallet: 'mtn_money' })
    expect(world.payouts.taken()).toMatchObject([{ wallet: 'mtn_money' }])
    expect(told(id)).toEqual({ redirect1: '2 mtn_money mtn' })
  })
})

describe('after a restore', () => {
  const backUp = () => {
    const backup = world.sandbox.firestore.dump()
    return () => world.sandbox.firestore.load(backup)
  }

  test('what was paid by hand to another wallet is held, and paid nowhere else', async () => {
    const id = await waiting()
    const restore = backUp()
    await to(id)
    await take(id)
    world.payouts.fill()
    restore()
    await rebuild(world.context)
    expect(await order(id)).toMatchObject({
      ...{ state: 'held', holds: ['restored'], wallet: 'mtn_money', provider: 'byHand', attempt: 3 },
      redirects: [{ by: null, because: null, from: 'orange_money', wallet: 'mtn_money' }],
    })
    expect(await news(id)).toMatchObject({ by: 'byHand', redirectedTo: 'mtn_money' })
    await later(HOUR)
    expect(world.payouts.taken()).toHaveLength(1)
    expect((await arrived(id))?.isTaken).toBe(true)
  })

  const hold = (id: string) =>
    tellDelivery(world.context, id, () => ({ type: 'order.hold', cause: 'operator' }))
  const release = (id: string) =>
    tellDelivery(world.context, id, () => ({ type: 'order.release', cause: null }))

  test.each<[string, () => Promise<string>, (id: string) => Promise<unknown>]>([
    [
      'handedOver',
      async () => {
        payBoth('orange_money')
        world.payouts.will('pending')
        return (await paid()).id
      },
      () => {
        world.payouts.decide('noBalance')
        return later()
      },
    ],
    [
      'handingOver',
      async () => {
        payBoth('orange_money')
        world.payouts.fill(1)
        world.payouts.fallSilent('before')
        return (await paid()).id
      },
      async () => {
        await later()
        await later()
      },
    ],
    [
      'held',
      async () => {
        const id = await waiting()
        await hold(id)
        return id
      },
      release,
    ],
  ])(
    'what was %s in the backup, and was paid by hand to another wallet since',
    async (state, begin, since) => {
      const id = await begin()
      expect(await order(id)).toMatchObject({ state })
      const restore = backUp()
      await since(id)
      expect(await to(id)).toMatchObject({ ok: true })
      expect((await take(id))?.get(id)).toBe('claimed')
      restore()
      await rebuild(world.context)
      expect(await order(id)).toMatchObject({ state: 'held', wallet: 'mtn_money', provider: 'byHand' })
      world.payouts.fill()
      for (let hours = 0; hours < 3; hours += 1) await later(HOUR)
      expect(world.payouts.taken().filter((one) => one.state.kind === 'delivered')).toEqual([])
      expect((await arrived(id))?.isTaken).toBe(true)
    },
  )

  test('what was in hand, and was paid by a provider to another wallet since, is asked about there @spec-redirect-rebuilt', async () => {
    const id = await due()
    await take(id)
    const restore = backUp()
    await tellDelivery(world.context, id, () => ({ type: 'claim.release' }))
    await to(id)
    await later()
    restore()
    await rebuild(world.context)
    expect(await order(id)).toMatchObject({ state: 'handingOver', wallet: 'mtn_money', attempt: 2 })
    await later()
    expect(await order(id)).toMatchObject({ state: 'delivered', proof: 'W1' })
    expect(world.payouts.taken()).toHaveLength(1)
  })

  test('what was paid before the backup had it, and to another wallet, is asked about there', async () => {
    payBoth('mtn_money')
    const restore = backUp()
    const { id } = await paid()
    await to(id)
    await later()
    restore()
    await rebuild(world.context)
    expect(await order(id)).toMatchObject({ state: 'handingOver', isRestored: true, wallet: 'mtn_money' })
    await later()
    expect(await order(id)).toMatchObject({ state: 'delivered' })
    expect(world.payouts.taken()).toHaveLength(1)
  })

  test('each redirect is found again, in their order, by a rebuilding that died between them too', async () => {
    const id = await due()
    const restore = backUp()
    await to(id)
    await to(id, 'orange_money')
    await take(id)
    restore()
    for (let step = 1; step <= 12; step += 1)
      await rebuild(crashAt(world.context, step, 'after').context).catch(() => null)
    await rebuild(world.context)
    expect(await order(id)).toMatchObject({
      ...{ state: 'held', holds: ['restored'], wallet: 'orange_money', attempt: 3 },
      redirects: [{ wallet: 'mtn_money' }, { wallet: 'orange_money' }],
    })
    expect(await news(id)).toMatchObject({ redirectedTo: null })
  })

  test('what nobody was asked to pay elsewhere goes where it went before', async () => {
    const id = await waiting()
    const restore = backUp()
    await to(id)
    world.payouts.fill()
    restore()
    await rebuild(world.context)
    await later()
    await later(HOUR)
    await later(HOUR)
    expect(await order(id)).toMatchObject({ state: 'delivered', wallet: 'orange_money', redirects: [] })
  })

  test('what Stripe knows of and the database does not is held, although nobody rebuilds', async () => {
    const id = await waiting()
    const restore = backUp()
    await to(id)
    await take(id)
    world.payouts.fill()
    restore()
    await later(HOUR)
    expect(await order(id)).toMatchObject({ state: 'held', holds: ['restored'], wallet: 'orange_money' })
    expect(world.payouts.taken()).toHaveLength(1)
    // Released it is held again, and goes nowhere else: that has to be rebuilt.
    await tellDelivery(world.context, id, () => ({ type: 'order.release', cause: null }))
    expect(await to(id)).toMatchObject({ ok: false, error: { kind: 'forgotten' } })
    expect(await to(id)).toMatchObject({ ok: false, error: { kind: 'mayArrive' } })
    await rebuild(world.context)
    expect(await order(id)).toMatchObject({ state: 'held', wallet: 'mtn_money', provider: 'byHand' })
  })
})
