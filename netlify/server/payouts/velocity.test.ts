import { describe, expect, test } from 'vitest'
import { MINUTE } from '../../../domain/common/duration.ts'
import { VELOCITY_PERIOD } from '../../../domain/prices/limits.ts'
import { runCommand } from '../../../scripts/operations/commands.ts'
import { addSignature } from '../../../scripts/operations/testing/addSignature.ts'
import { enableSimulatedProvider, passTimeWithJob, readOrder } from '../../testing/deliveries.ts'
import { recordPayment, resetWorldForEachTest, world } from '../../testing/emptyWorld.ts'
import { findEvent } from '../../testing/payments.ts'
import { buildTransferRequest } from '../../testing/world.ts'
import { createPaymentIntent } from '../endpoints/createPaymentIntent.ts'
import { runDueWork } from '../endpoints/dueWork.ts'
import { OPERATOR_PAUSE_CAUSE, pausePayments } from '../events/pauses.ts'
import { byHandProvider } from './providers/byHand.ts'

resetWorldForEachTest({ isMoneyChecked: true })

const NUMBER = '+224620999999'
const CARDS = ['pm_card_visa', 'pm_card_mastercard', 'pm_card_amex', 'pm_card_fr'] as const
const [CARD] = CARDS

interface Payment {
  readonly uid?: string
  readonly cents?: number
  readonly to?: string
  readonly card?: string
}

async function pay({ uid, cents = 50_000, to = NUMBER, card = CARD }: Payment = {}) {
  const by = uid ?? (await world.person())
  const fee = Math.round(cents * 0.03)
  const expected = { fee, converted: (cents - fee) * 106 }
  const request = buildTransferRequest(by, { amount: cents, expected, recipientPhone: to })
  const begun = await createPaymentIntent(world.context, world.getCaller(by), request)
  if (!begun.ok) throw new Error(`refused: ${begun.error.code}`)
  const { paymentIntentId: id } = begun.value
  await world.pay(id, card)
  return { id, uid: by, settle: () => recordPayment(by, request.attemptId) }
}

async function send(payment: Payment = {}) {
  const { id, uid, settle } = await pay(payment)
  expect(await settle()).toMatchObject({ value: { outcome: 'paid' } })
  return { id, uid }
}

/** The transfers belong to two months, because the monthly cap of a card is lower. */
async function sendDailyLimit(payment: Payment = {}) {
  world.setTime(Date.UTC(2026, 10, 30, 23, 50))
  for (const _ of [1, 2]) await send(payment)
  world.pass(20 * MINUTE)
  await send(payment)
}

const run = async (command: string) => {
  const words = command.split(' ')
  return (await runCommand(world.context, words, addSignature(words))).lines
}
const readDelivery = async (id: string) =>
  (await world.context.db.doc(`transactions/${id}`).get()).get('delivery') as unknown

describe('the velocity limit @spec-velocity', () => {
  test('the limit holds a payout, alerts, and informs the sender', async () => {
    enableSimulatedProvider()
    await sendDailyLimit()
    expect(world.payouts.taken()).toHaveLength(3)
    const { id } = await send({ cents: 1_000 })
    const causes = ['velocityOfCard', 'velocityOfRecipient']
    expect(await readOrder(id)).toMatchObject({ state: 'held', holds: causes, checkAt: null })
    expect(world.logged).toContainEqual({
      level: 'error',
      event: 'velocityLimitExceeded',
      paymentIntentId: id,
      causes,
    })
    expect(await readDelivery(id)).toMatchObject({ stage: 'ordered', isLate: true, isChecked: true })
    await passTimeWithJob()
    expect(world.payouts.taken()).toHaveLength(3)
  })

  test.each<[string, string, Payment]>([
    ['with one card', 'velocityOfCard', { to: '+224620888887' }],
    ['to one number', 'velocityOfRecipient', { card: 'pm_card_mastercard' }],
  ])("the velocity limit counts a day's transfers %s from any sender", async (_, cause, change) => {
    enableSimulatedProvider()
    await sendDailyLimit()
    expect(await readOrder((await send(change)).id)).toMatchObject({ state: 'held', holds: [cause] })
    const other = await send({ to: '+224620888888', card: 'pm_card_amex' })
    expect(await readOrder(other.id)).toMatchObject({ state: 'handedOver' })
  })

  test('the limit counts a person’s transfers across months', async () => {
    enableSimulatedProvider()
    world.setTime(Date.UTC(2026, 10, 30, 23, 50))
    const uid = await world.person()
    await send({ uid })
    await send({ uid, to: '+224620888881', card: 'pm_card_mastercard' })
    world.pass(20 * MINUTE)
    await send({ uid, to: '+224620888882', card: 'pm_card_amex' })
    const { id } = await send({ uid, cents: 1_000, to: '+224620888883', card: 'pm_card_fr' })
    expect(await readOrder(id)).toMatchObject({ state: 'held', holds: ['velocityOfPerson'] })
  })

  test('the velocity limit counts transfers that are recorded at the same moment', async () => {
    enableSimulatedProvider()
    const all = []
    for (const card of CARDS) all.push(await pay({ card }))
    await Promise.all(all.map(({ settle }) => settle()))
    const states = (await Promise.all(all.map(({ id }) => readOrder(id)))).map((one) => one?.state)
    expect(states.filter((state) => state === 'held')).toHaveLength(1)
    expect(world.payouts.taken()).toHaveLength(3)
  })

  test('the limit counts a transfer settled several times once', async () => {
    enableSimulatedProvider()
    const { id, settle } = await pay()
    for (let times = 0; times < 3; times += 1) await settle()
    await world.deliver(findEvent('payment_intent.succeeded', id))
    await send()
    const { id: last } = await send({ card: 'pm_card_amex' })
    expect(await readOrder(last)).toMatchObject({ state: 'handedOver' })
  })

  test('the limit counts a transfer for a day', async () => {
    enableSimulatedProvider()
    for (const card of CARDS.slice(0, 3)) await send({ card })
    world.pass(VELOCITY_PERIOD - 1)
    expect(await readOrder((await send({ cents: 1_000 })).id)).toMatchObject({ state: 'held' })
    world.pass(VELOCITY_PERIOD)
    const { id } = await send({ card: 'pm_card_amex' })
    expect(await readOrder(id)).toMatchObject({ state: 'handedOver' })
  })
})

describe('the amounts of a month by card and recipient @spec-month-shared', () => {
  const LIMIT_CENTS = 30_000
  const whole = { cents: LIMIT_CENTS }
  const listHolds = async (id: string) => (await readOrder(id))?.holds as unknown

  test('four users with one card share the limit without identity', async () => {
    enableSimulatedProvider()
    world.requireIdentityAbove(LIMIT_CENTS)
    const [first, ...others] = [await send(whole), await send(whole), await send(whole), await send(whole)]
    expect(await readOrder(first?.id ?? '')).toMatchObject({ state: 'handedOver' })
    for (const { id } of others)
      expect(await listHolds(id)).toEqual(expect.arrayContaining(['identityOfCard', 'identityOfRecipient']))
    expect(world.payouts.taken()).toHaveLength(1)
    expect(await readDelivery(others[0]?.id ?? '')).toMatchObject({ isChecked: true, isCancelable: false })
  })

  test.each<[string, string, Payment]>([
    ['with one card', 'identityOfCard', { to: '+224620888887' }],
    ['to one number', 'identityOfRecipient', { card: 'pm_card_mastercard' }],
  ])('the limit without identity counts a month %s from any sender', async (_, cause, change) => {
    enableSimulatedProvider()
    world.requireIdentityAbove(LIMIT_CENTS)
    await send(whole)
    expect(await listHolds((await send({ cents: 1_000, ...change })).id)).toEqual([cause])
    const other = await send({ cents: 1_000, to: '+224620888888', card: 'pm_card_amex' })
    expect(await readOrder(other.id)).toMatchObject({ state: 'handedOver' })
  })

  test('an approved sender is free of the limit without identity', async () => {
    enableSimulatedProvider()
    world.requireIdentityAbove(LIMIT_CENTS)
    await send(whole)
    const uid = await world.person()
    await world.writeIdentity(uid, 'approved')
    expect(await readOrder((await send({ ...whole, uid })).id)).toMatchObject({ state: 'handedOver' })
  })

  test('an unreadable document holds the recorded transfer', async () => {
    enableSimulatedProvider()
    world.requireIdentityAbove(LIMIT_CENTS)
    await send(whole)
    const uid = await world.person()
    await world.context.db
      .doc('files/unreadable')
      .set({ userId: uid, category: 'identity', createdAt: 'yesterday' })
    const { id } = await send({ ...whole, uid })
    expect(await listHolds(id)).toEqual(['identityOfCard', 'identityOfRecipient'])
  })

  test('the monthly cap holds a shared card’s payout @spec-cap', async () => {
    enableSimulatedProvider()
    for (const to of ['+224620888881', '+224620888882']) await send({ to })
    world.pass(VELOCITY_PERIOD)
    const over = await send({ cents: 1_000, to: '+224620888883' })
    expect(await listHolds(over.id)).toEqual(['capOfCard'])
    expect((await run(`people show ${over.uid}`)).slice(2)).toEqual([
      `${over.id} is held: more than €1,000.00 in a month with this card.`,
    ])
    const other = await send({ cents: 1_000, card: 'pm_card_amex' })
    expect(await readOrder(other.id)).toMatchObject({ state: 'handedOver' })
    world.setTime(Date.UTC(2026, 11, 1))
    expect(await listHolds((await send({ cents: 1_000 })).id)).toEqual([])
  })

  test('a never paid transfer returns its amount to the month', async () => {
    enableSimulatedProvider()
    world.requireIdentityAbove(LIMIT_CENTS)
    world.payouts.will('recipientUnknown')
    const { id } = await send(whole)
    await passTimeWithJob()
    expect(await readOrder(id)).toMatchObject({ state: 'paidBack' })
    world.payouts.will('delivered')
    expect(await listHolds((await send(whole)).id)).toEqual([])
  })

  test('the amounts of a day and a month are deleted after the month', async () => {
    enableSimulatedProvider()
    await send(whole)
    const count = async () => (await world.context.db.collection('capUses').get()).size
    expect(await count()).toBeGreaterThanOrEqual(2)
    world.setTime(Date.UTC(2026, 11, 1, 7))
    await runDueWork(world.context)
    expect(await count()).toBe(0)
  })
})

describe('a transfer held by the velocity limit', () => {
  test('releasing all of a sender’s transfers holds them never again', async () => {
    enableSimulatedProvider()
    await sendDailyLimit()
    const first = await send({ cents: 1_000 })
    const uid = await world.person({}, first.uid)
    const second = await send({ uid, cents: 2_000, to: '+224620888888' })
    expect((await run(`people show ${first.uid}`)).slice(2).sort()).toEqual(
      [
        `${first.id} is held: more than €1,500.00 in a day with this card and to this number.`,
        `${second.id} is held: more than €1,500.00 in a day with this card.`,
      ].sort(),
    )
    expect((await run(`people resume ${first.uid}`)).slice(2)).toEqual([])
    await passTimeWithJob()
    await passTimeWithJob()
    for (const { id } of [first, second]) expect(await readOrder(id)).toMatchObject({ state: 'delivered' })
    expect(await readDelivery(first.id)).toMatchObject({ isLate: false, isChecked: false })
    await world.checkInvariants({ quiet: true })
  })

  test('resuming the sender or the transfer releases a held transfer', async () => {
    world.payOutBy(byHandProvider)
    await sendDailyLimit()
    const { id, uid } = await send({ cents: 1_000 })
    expect(await run('deliveries claim')).not.toContain(id)
    await pausePayments(world.context, uid, OPERATOR_PAUSE_CAUSE)
    expect(await readOrder(id)).toMatchObject({
      state: 'held',
      holds: ['velocityOfCard', 'velocityOfRecipient', 'stop'],
    })
    await run(`people resume ${uid}`)
    expect(await readOrder(id)).toMatchObject({ state: 'due', holds: [] })

    const other = await send({ cents: 1_000 })
    await run(`deliveries release ${other.id}`)
    expect(await readOrder(other.id)).toMatchObject({ state: 'due', holds: [] })
  })

  test('the job releases what another program’s approval allows', async () => {
    enableSimulatedProvider()
    world.requireIdentityAbove(30_000)
    await send({ cents: 30_000 })
    const [mine, theirs] = [await send({ cents: 30_000 }), await send({ cents: 30_000 })]
    await world.writeIdentity(mine.uid, 'pending')
    await passTimeWithJob()
    expect(await readOrder(mine.id)).toMatchObject({ state: 'held' })
    await world.writeIdentity(mine.uid, 'approved')
    expect(await passTimeWithJob()).toMatchObject({ identityReleased: 1 })
    expect(await readOrder(mine.id)).toMatchObject({ state: 'handedOver', holds: [] })
    expect(await readOrder(theirs.id)).toMatchObject({ state: 'held' })
    expect(await passTimeWithJob()).not.toHaveProperty('identityReleased')
  })

  test('an approval ends no other hold', async () => {
    enableSimulatedProvider()
    world.requireIdentityAbove(30_000)
    await send({ cents: 30_000 })
    const { id, uid } = await send({ cents: 30_000 })
    await run(`deliveries hold ${id}`)
    await world.writeIdentity(uid, 'approved')
    await passTimeWithJob()
    expect(await readOrder(id)).toMatchObject({ state: 'held', holds: ['operator'] })
  })

  test('refunds a held transfer that an operator cancels', async () => {
    enableSimulatedProvider()
    await sendDailyLimit()
    const { id } = await send({ cents: 1_000 })
    await run(`deliveries hold ${id}`)
    const words = ['deliveries', 'failed', id]
    await runCommand(world.context, words, { ...addSignature(words), reason: 'canceled' })
    expect(await readOrder(id)).toMatchObject({ state: 'paidBack' })
  })
})
