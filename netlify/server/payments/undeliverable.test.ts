import { describe, expect, test } from 'vitest'
import { DAY, HOUR, MINUTE } from '../../../domain/common/duration.ts'
import { enableSimulatedProvider, listLoggedEvents } from '../../testing/deliveries.ts'
import { listIntents, recordPayment, resetWorldForEachTest, world } from '../../testing/emptyWorld.ts'
import { expectTransferPaymentStarted, readStoredLedger } from '../../testing/payments.ts'
import { attachSavedCard } from '../../testing/savedCards.ts'
import { buildTransferRequest } from '../../testing/world.ts'
import { createPaymentIntent } from '../endpoints/createPaymentIntent.ts'
import { runDueWork } from '../endpoints/dueWork.ts'
import { updateDelivery } from '../payouts/deliver.ts'
import { byHandProvider } from '../payouts/providers/byHand.ts'
import type { PayoutFailure } from '../payouts/providers/provider.ts'
import { INCIDENT_LIMITS, INCIDENT_PERIOD } from './incidents.ts'

resetWorldForEachTest({ isMoneyChecked: true })

const MAX_UNDELIVERABLE = INCIDENT_LIMITS.undeliverable.most
const CARDS = ['pm_card_visa', 'pm_card_mastercard', 'pm_card_amex', 'pm_card_fr'] as const
const start = (uid: string, recipientPhone?: string) =>
  createPaymentIntent(
    world.context,
    { uid },
    buildTransferRequest(uid, recipientPhone ? { recipientPhone } : {}),
  )
const buildRefusal = (ms: number) => ({
  error: {
    code: 'tooManyUndelivered',
    status: 429,
    details: { retryAfterSeconds: ms / 1000, until: world.now() + ms },
  },
})

async function payFailingTransfer(uid: string, card: string = CARDS[0], recipientPhone?: string) {
  const request = buildTransferRequest(uid, recipientPhone ? { recipientPhone } : {})
  const { paymentIntentId } = await expectTransferPaymentStarted(request)
  await world.pay(paymentIntentId, card)
  await recordPayment(uid, request.attemptId)
  world.pass(MINUTE)
  await runDueWork(world.context)
  return paymentIntentId
}

function makePayoutsFail(failure: PayoutFailure = 'recipientUnknown') {
  enableSimulatedProvider()
  world.payouts.will(failure)
}

describe('transfers that cannot be delivered @spec-undeliverable', () => {
  test('three undeliverable transfers a day refuse their sender for a day', async () => {
    makePayoutsFail()
    const uid = await world.person()
    for (let n = 1; n < MAX_UNDELIVERABLE; n += 1) await payFailingTransfer(uid, CARDS[n])
    expect(await start(uid)).toMatchObject({ ok: true })
    await payFailingTransfer(uid, CARDS[0])
    expect(await start(uid)).toMatchObject(buildRefusal(INCIDENT_PERIOD))
    expect(await start(await world.person())).toMatchObject({ ok: true })
    world.pass(INCIDENT_PERIOD - 1000)
    expect(await start(uid)).toMatchObject(buildRefusal(1000))
    world.pass(1000)
    expect(await start(uid)).toMatchObject({ ok: true })
  })

  test('an undeliverable transfer no longer counts after a day', async () => {
    makePayoutsFail()
    const uid = await world.person()
    await payFailingTransfer(uid, CARDS[0])
    world.pass(DAY)
    for (let n = 1; n < MAX_UNDELIVERABLE; n += 1) await payFailingTransfer(uid, CARDS[n])
    expect(await start(uid)).toMatchObject({ ok: true })
  })

  test('a number with three undeliverable transfers is refused, its senders not', async () => {
    makePayoutsFail()
    const recipientPhone = '+224620999999'
    const senders = [await world.person(), await world.person(), await world.person()]
    for (const [n, uid] of senders.entries()) await payFailingTransfer(uid, CARDS[n], recipientPhone)
    expect(await start(await world.person(), recipientPhone)).toMatchObject(buildRefusal(INCIDENT_PERIOD))
    for (const uid of senders) expect(await start(uid)).toMatchObject({ ok: true })
  })

  test('accounts sharing a card are refused from the third undeliverable transfer', async () => {
    makePayoutsFail()
    const accounts = [await world.person(), await world.person(), await world.person(), await world.person()]
    for (const uid of accounts) await payFailingTransfer(uid)
    const answers = []
    for (const uid of accounts) answers.push((await start(uid)).ok)
    expect(answers).toEqual([true, true, false, false])
  })

  test('refuses a payment of another account that has saved a refused card', async () => {
    makePayoutsFail()
    const holder = await world.person()
    await attachSavedCard(world, holder, CARDS[0])
    for (let n = 0; n < MAX_UNDELIVERABLE; n += 1) await payFailingTransfer(await world.person())
    expect(await start(holder)).toMatchObject(buildRefusal(INCIDENT_PERIOD))
    expect(listIntents()).toHaveLength(MAX_UNDELIVERABLE)
  })

  test('a payment begins without saved cards that Stripe doesn’t list', async () => {
    const uid = await world.person()
    await expectTransferPaymentStarted(buildTransferRequest(uid))
    const on = 'GET /v1/payment_methods'
    world.sandbox.faults.add({ on, times: 1, what: { kind: 'status', status: 500 } })
    expect(await start(uid)).toMatchObject({ ok: true })
    expect(listLoggedEvents()).toContain('savedCardsUnavailable')
  })

  test('does not count transfers that an operator called off as undeliverable', async () => {
    world.payOutBy(byHandProvider)
    const uid = await world.person()
    for (let n = 0; n < MAX_UNDELIVERABLE; n += 1) {
      const request = buildTransferRequest(uid)
      const { paymentIntentId } = await expectTransferPaymentStarted(request)
      await world.pay(paymentIntentId)
      await recordPayment(uid, request.attemptId)
      await updateDelivery(world.context, paymentIntentId, () => ({
        type: 'order.markFailed',
        failure: 'canceled',
        at: world.now(),
      }))
    }
    expect(await start(uid)).toMatchObject({ ok: true })
  })

  test('the due-work job deletes expired counts of undeliverable transfers', async () => {
    makePayoutsFail()
    await payFailingTransfer(await world.person())
    const { db } = world.context
    expect((await db.collection('incidents').get()).size).toBe(3)
    world.pass(3 * DAY + HOUR)
    await runDueWork(world.context)
    expect((await db.collection('incidents').get()).size).toBe(0)
  })
})

describe('a number without a wallet @spec-wallet-missing', () => {
  const NO_WALLET = '+224660000450'
  const buildWalletRequest = async (recipientPhone: string) => {
    const uid = await world.person()
    return { uid, request: buildTransferRequest(uid, { recipientPhone, receivingMethod: 'mtn_money' }) }
  }
  const missing = { ok: false, error: { code: 'walletMissing', status: 409 } }

  test('a number without a wallet is refused before the charge', async () => {
    world.payOutAsDeployed()
    const { uid, request } = await buildWalletRequest(NO_WALLET)
    expect(await createPaymentIntent(world.context, { uid }, request)).toMatchObject(missing)
    expect(listIntents()).toEqual([])
    expect(await readStoredLedger(uid)).toMatchObject({ reservedCents: 0 })
    expect(await createPaymentIntent(world.context, { uid }, request)).toMatchObject(missing)
    const other = buildTransferRequest(uid, { recipientPhone: '+224660000480', receivingMethod: 'mtn_money' })
    expect(await createPaymentIntent(world.context, { uid }, other)).toMatchObject({ ok: true })
  })

  test('a silent provider lets a number without a wallet pass', async () => {
    world.payOutAsDeployed()
    world.sandbox.faults.add({
      on: 'GET /disbursement/v1_0/accountholder',
      times: 1,
      what: { kind: 'cutBefore' },
    })
    const { uid, request } = await buildWalletRequest(NO_WALLET)
    expect(await createPaymentIntent(world.context, { uid }, request)).toMatchObject({ ok: true })
    // This attempt has a PaymentIntent, which may be paid by now.
    expect(await createPaymentIntent(world.context, { uid }, request)).toMatchObject({ ok: true })
    expect(listIntents()).toHaveLength(1)
  })

  test('a wallet paid by hand is not looked up', async () => {
    world.payOutAsDeployed()
    const { uid, request } = await buildWalletRequest(NO_WALLET)
    const byOrange = { ...request, receivingMethod: 'orange_money' }
    expect(await createPaymentIntent(world.context, { uid }, byOrange)).toMatchObject({ ok: true })
    expect(world.requests.filter((line) => line.includes('accountholder'))).toEqual([])
  })
})
