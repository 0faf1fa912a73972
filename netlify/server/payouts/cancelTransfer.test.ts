import { describe, expect, test } from 'vitest'
import { HOUR, MINUTE, SECOND } from '../../../domain/common/duration.ts'
import { claimDueOrders } from '../../../scripts/operations/handPayments.ts'
import { createCrashingContext } from '../../testing/crashingContext.ts'
import {
  enableSimulatedProvider,
  listLoggedEvents,
  passTimeWithJob,
  payTransfer,
  readOrder,
  readTransactionStatus,
} from '../../testing/deliveries.ts'
import { recordPayment, resetWorldForEachTest, world } from '../../testing/emptyWorld.ts'
import { buildPremiumSubscription, readSlotsLeft, readStoredLedger } from '../../testing/payments.ts'
import { buildTransferRequest, WORLD_START } from '../../testing/world.ts'
import { createPaymentIntent } from '../endpoints/createPaymentIntent.ts'
import { runDueWork } from '../endpoints/dueWork.ts'
import { executeTask } from '../endpoints/executeTask.ts'
import { INCIDENT_LIMITS, INCIDENT_PERIOD } from '../payments/incidents.ts'
import { setPaymentsClosed, setPaymentsOpen } from '../payments/paymentsState.ts'
import { syncDebt } from '../payments/refunds.ts'
import type { Task } from '../platform/tasks.ts'
import { cancelTransfer } from './cancelTransfer.ts'
import { advanceDelivery, updateDelivery } from './deliver.ts'
import { byHandProvider } from './providers/byHand.ts'

resetWorldForEachTest({ isMoneyChecked: true })

async function payCancelableTransfer(options: Parameters<typeof payTransfer>[0] = {}) {
  world.offerCancellation(MINUTE)
  enableSimulatedProvider()
  return payTransfer(options)
}

async function payByHand() {
  world.payOutBy(byHandProvider)
  return payTransfer()
}

const cancel = ({ uid, id }: { uid: string; id: string }, context = world.context) =>
  cancelTransfer(context, { uid }, { id })

const tooLate = { ok: false, error: { code: 'cancellationTooLate', status: 409 } }

const unavailable = { ok: false, error: { code: 'cancellationUnavailable', status: 409 } }

describe('a cancellation', () => {
  test('a cancellation refunds the charge once, and returns cap and slot @spec-cancellation', async () => {
    const paid = await payCancelableTransfer({ subscription: buildPremiumSubscription(5) })
    expect(await readStoredLedger(paid.uid)).toMatchObject({ recordedCents: 10_000 })
    world.pass(20 * SECOND)
    const canceledAt = WORLD_START + 20 * SECOND
    expect(await cancel(paid)).toMatchObject({
      ok: true,
      value: {
        transaction: {
          id: paid.id,
          status: 'canceled',
          delivery: { stage: 'paidBack', isCancelable: false, cancelableUntil: null, canceledAt },
        },
      },
    })
    expect(await readOrder(paid.id)).toMatchObject({ state: 'paidBack', canceledAt, failure: null })
    expect(await readStoredLedger(paid.uid)).toMatchObject({ recordedCents: 0, reservedCents: 0 })
    expect(await readSlotsLeft(paid.uid)).toBe(5)
    expect(world.sandbox.stripe.refunds()).toMatchObject([{ payment_intent: paid.id, amount: 10_000 }])
    expect(listLoggedEvents()).toContain('deliveryCanceled')
    expect(listLoggedEvents()).not.toContain('deliveryFailed')
    await passTimeWithJob(HOUR)
    expect(world.payouts.taken()).toEqual([])
    await world.checkInvariants({ quiet: true })
  })

  test('a repeated cancellation returns the canceled transfer, refunding nothing', async () => {
    const paid = await payCancelableTransfer()
    const first = await cancel(paid)
    world.pass(HOUR)
    expect(await cancel(paid)).toEqual(first)
    expect(world.sandbox.stripe.refunds()).toHaveLength(1)
  })

  test('a cancellation returns nothing to a month after that of the payment', async () => {
    world.setTime(Date.UTC(2026, 10, 30, 23, 59, 50))
    const paid = await payCancelableTransfer()
    world.pass(20 * SECOND)
    const request = buildTransferRequest(paid.uid)
    await world.invoke('create-payment-intent', request, { token: await world.token(paid.uid) })
    expect(await cancel(paid)).toMatchObject({ ok: true })
    expect(await readStoredLedger(paid.uid)).toMatchObject({ recordedCents: 0 })
    expect(await readStoredLedger(paid.uid, '2026-12')).toMatchObject({ reservedCents: 10_000 })
  })

  test('another user, an unknown payment and closed payments refuse cancellation', async () => {
    const paid = await payCancelableTransfer()
    const stranger = await world.person()
    expect(await cancel({ ...paid, uid: stranger })).toMatchObject({ error: { code: 'forbidden' } })
    expect(await cancel({ ...paid, id: 'pi_unknown' })).toMatchObject({ error: { code: 'paymentNotFound' } })
    await setPaymentsClosed(world.context)
    expect(await cancel(paid)).toMatchObject({ error: { code: 'paymentsClosed' } })
    expect(await readOrder(paid.id)).toMatchObject({ state: 'due', canceledAt: null })
    await setPaymentsOpen(world.context)
  })

  test('a canceled transfer isn’t undeliverable, and may be repeated', async () => {
    const paid = await payCancelableTransfer()
    await cancel(paid)
    const request = buildTransferRequest(paid.uid, { recipientPhone: paid.phone })
    const { status } = await world.invoke('create-payment-intent', request, {
      token: await world.token(paid.uid),
    })
    expect(status).toBe(200)
    expect(
      Object.keys(world.sandbox.firestore.documents()).some((path) => /^incidents\/undeliverable/.test(path)),
    ).toBe(false)
  })

  test('a returned refund of a canceled transfer is owed again', async () => {
    const paid = await payCancelableTransfer({ card: 'pm_card_refundFail' })
    await cancel(paid)
    world.pass(25 * HOUR)
    expect(await syncDebt(world.context, paid.id)).toBe('refundOwed')
    expect(await readOrder(paid.id)).toMatchObject({ state: 'canceled' })
    expect(await readTransactionStatus(paid.id)).toBe('canceled')
    await runDueWork(world.context)
    expect(await readOrder(paid.id)).toMatchObject({ state: 'paidBack' })
  })

  test.each(
    (['before', 'after'] as const).flatMap((when) => [1, 2, 3, 4, 5, 6].map((step) => [when, step] as const)),
  )('a cancellation refunds once despite a crash %s step %i', async (when, step) => {
    const paid = await payCancelableTransfer()
    const { context, life } = createCrashingContext(world.context, step, when)
    await cancel(paid, context).catch(() => null)
    expect(life.hasCrashed).toBe(true)
    await world.checkInvariants()
    expect(await cancel(paid)).toMatchObject({ ok: true })
    await passTimeWithJob(2 * MINUTE)
    expect(await readOrder(paid.id)).toMatchObject({ state: 'paidBack' })
    expect(world.sandbox.stripe.refunds()).toHaveLength(1)
    expect(world.payouts.taken()).toEqual([])
  })
})

describe('cancellations within a day @spec-cancellation-limit', () => {
  const { most, mostOfRecipient } = INCIDENT_LIMITS.cancellation
  const NUMBER = '+224620999999'
  const CARDS = ['pm_card_visa', 'pm_card_mastercard', 'pm_card_amex', 'pm_card_fr']

  async function begin(uid: string, recipientPhone?: string) {
    const request = buildTransferRequest(uid, recipientPhone ? { recipientPhone } : {})
    return { request, begun: await createPaymentIntent(world.context, { uid }, request) }
  }

  async function payAndCancel(uid: string, card?: string, recipientPhone?: string) {
    const { request, begun } = await begin(uid, recipientPhone)
    if (!begun.ok) return null
    const id = begun.value.paymentIntentId
    await world.pay(id, card)
    await recordPayment(uid, request.attemptId)
    for (const _ of [1, 2]) expect(await cancel({ uid, id })).toMatchObject({ ok: true })
    return id
  }

  const offerCancellation = () => {
    world.offerCancellation(MINUTE)
    enableSimulatedProvider()
  }
  const buildRefusal = (ms: number) => ({
    status: 429,
    code: 'tooManyCanceled',
    details: { retryAfterSeconds: ms / 1000, until: world.now() + ms },
  })

  test('only five of 150 immediately canceled payments a day are charged', async () => {
    offerCancellation()
    const uid = await world.person()
    for (let n = 0; n < 150; n += 1) {
      await payAndCancel(uid, CARDS[n % CARDS.length])
      world.pass(9 * MINUTE)
    }
    expect(world.sandbox.stripe.charges().filter(({ paid }) => paid)).toHaveLength(most)
  })

  test('after five cancellations a payment waits for a named day', async () => {
    offerCancellation()
    const uid = await world.person()
    for (let n = 0; n < most; n += 1) await payAndCancel(uid, CARDS[n % CARDS.length])
    expect((await begin(uid)).begun).toMatchObject({ error: buildRefusal(INCIDENT_PERIOD) })
    expect((await begin(await world.person())).begun).toMatchObject({ ok: true })
    world.pass(INCIDENT_PERIOD)
    expect((await begin(uid)).begun).toMatchObject({ ok: true })
  })

  test('cancellations with one card count together, whatever account pays', async () => {
    offerCancellation()
    const uids = await Promise.all(Array.from({ length: most + 1 }, () => world.person()))
    for (const uid of uids) await payAndCancel(uid)
    const answers = []
    for (const uid of uids) answers.push((await begin(uid)).begun.ok)
    expect(answers).toEqual(uids.map((_, n) => n < most - 1))
  })

  test('fifteen cancellations to one number, and no fewer, refuse transfers to it', async () => {
    offerCancellation()
    for (let n = 0; n < mostOfRecipient; n += 1) {
      expect(await payAndCancel(await world.person(), CARDS[n % CARDS.length], NUMBER)).not.toBe(null)
    }
    expect((await begin(await world.person(), NUMBER)).begun).toMatchObject({
      error: buildRefusal(INCIDENT_PERIOD),
    })
    expect((await begin(await world.person())).begun).toMatchObject({ ok: true })
  })
})

describe('the time to cancel', () => {
  test('one millisecond of the server’s time decides about canceling', async () => {
    const paid = await payCancelableTransfer()
    const other = await payCancelableTransfer()
    world.pass(MINUTE - 1)
    await runDueWork(world.context)
    expect(await cancel(paid)).toMatchObject({ ok: true })
    world.pass(1)
    expect(await cancel(other)).toMatchObject(tooLate)
    expect(await readOrder(other.id)).toMatchObject({ state: 'due' })
  })

  test('the next run after the time to cancel hands over', async () => {
    const { id } = await payCancelableTransfer()
    world.pass(MINUTE - 1)
    await runDueWork(world.context)
    expect(world.payouts.taken()).toEqual([])
    world.pass(1)
    await runDueWork(world.context)
    expect(await readOrder(id)).toMatchObject({ state: 'handedOver', sentAt: WORLD_START + MINUTE })
  })

  test('settling, early tasks and callbacks do not shorten the time', async () => {
    const { id, settle } = await payCancelableTransfer()
    await settle()
    await executeTask(world.context, { work: 'delivery', id })
    await world.invoke('delivery-callback', { externalId: id })
    expect(await readOrder(id)).toMatchObject({ state: 'due', reference: null })
    expect(world.payouts.taken()).toEqual([])
  })

  test('a queue gets the hand-over for the end of the time', async () => {
    const tasks: Task[] = []
    world.context.startTask = async (_, task) => void tasks.push(task)
    const { id } = await payCancelableTransfer()
    expect(tasks).toEqual([{ work: 'delivery', id, service: 'mtn', at: WORLD_START + MINUTE }])
  })

  test('a transfer waiting for our balance is not on its way', async () => {
    const paid = await payCancelableTransfer()
    world.payouts.fill(1)
    for (const part of ['hand-over', 'result']) {
      world.pass(MINUTE)
      expect(await runDueWork(world.context), part).not.toEqual({})
    }
    expect(await readOrder(paid.id)).toMatchObject({ state: 'waiting' })
    expect(await cancel(paid)).toMatchObject(unavailable)
  })

  test('the time to cancel also applies to a released order', async () => {
    const paid = await payCancelableTransfer()
    await updateDelivery(world.context, paid.id, () => ({ type: 'order.hold', cause: 'operator' }))
    expect(await cancel(paid)).toMatchObject(unavailable)
    await updateDelivery(world.context, paid.id, () => ({ type: 'order.release', cause: null }))
    await runDueWork(world.context)
    expect(world.payouts.taken()).toEqual([])
    expect(await cancel(paid)).toMatchObject({ ok: true })
  })
})

describe('a race', () => {
  const taken = (id: string) => world.payouts.taken().filter(({ transferId }) => transferId === id)

  test('two devices cancel a transfer once', async () => {
    const paid = await payCancelableTransfer()
    const answers = await Promise.all([cancel(paid), cancel(paid)])
    for (const answer of answers) expect(answer).toMatchObject({ ok: true })
    expect(world.sandbox.stripe.refunds()).toHaveLength(1)
  })

  // The server that cancels is a minute behind the one that hands over.
  test.each([1, 2, 3, 4, 5, 6, 7])(
    'undo or hand-over wins during request %i of the other',
    async (request) => {
      for (const first of ['undo', 'handover'] as const) {
        const paid = await payCancelableTransfer()
        world.pass(MINUTE)
        const behind = { ...world.context, now: () => world.now() - MINUTE }
        let answer: Awaited<ReturnType<typeof cancel>> | undefined
        const undo = async () => {
          answer = await cancel(paid, behind)
        }
        const handOver = () => advanceDelivery(world.context, paid.id)
        await (first === 'undo'
          ? world.interrupted(request, undo, handOver)
          : world.interrupted(request, handOver, undo))
        await world.checkInvariants()
        expect(taken(paid.id)).toHaveLength(answer?.ok ? 0 : 1)
        if (!answer?.ok) expect(answer).toMatchObject(tooLate)
      }
    },
  )

  test.each([1, 2, 3, 4])('undo or claim wins during request %i of the other', async (request) => {
    for (const first of ['undo', 'claim'] as const) {
      const paid = await payByHand()
      let answer: Awaited<ReturnType<typeof cancel>> | undefined
      let claimed: string | undefined
      const undo = async () => {
        answer = await cancel(paid)
      }
      const claim = async () => {
        const order = { batch: paid.id, by: 'Awa', ids: [paid.id] }
        claimed = (await claimDueOrders(world.context, order))?.get(paid.id)
      }
      await (first === 'undo'
        ? world.interrupted(request, undo, claim)
        : world.interrupted(request, claim, undo))
      await world.checkInvariants()
      expect(claimed === 'claimed').toBe(!answer?.ok)
      expect(await readOrder(paid.id)).toMatchObject({ state: answer?.ok ? 'paidBack' : 'claimed' })
    }
  })

  test('an order by hand is cancelable except while claimed', async () => {
    const paid = await payByHand()
    world.pass(48 * HOUR)
    await claimDueOrders(world.context, { batch: 'b1', by: 'Awa', ids: [paid.id] })
    expect(await cancel(paid)).toMatchObject(tooLate)
    await updateDelivery(world.context, paid.id, () => ({ type: 'order.unclaim' }))
    expect(await cancel(paid)).toMatchObject({ ok: true })
  })
})
