import type Stripe from 'stripe'
import { describe, expect, test } from 'vitest'
import { HOUR, MINUTE } from '../../../domain/common/duration.ts'
import { listIntents, recordPayment, resetWorldForEachTest, world } from '../../testing/emptyWorld.ts'
import { expectTransferPaymentStarted } from '../../testing/payments.ts'
import { payForCheckout, readCustomer, requestCancellation } from '../../testing/plans.ts'
import { answerThreeDSecure, openCardForm, payAndSaveCard } from '../../testing/savedCards.ts'
import { buildTransferRequest } from '../../testing/world.ts'
import { createPaymentIntent } from '../endpoints/createPaymentIntent.ts'
import { runDueWork } from '../endpoints/dueWork.ts'
import { payInvoice } from '../endpoints/payInvoice.ts'
import { OPERATOR_PAUSE_CAUSE, pausePayments } from '../events/pauses.ts'

resetWorldForEachTest({ isMoneyChecked: true })

const customers = async () => (await world.context.stripe.customers.list({ limit: 100 })).data
const listCards = async (uid: string) => {
  const customer = (await readCustomer(uid))?.customerId
  return customer ? (await world.context.stripe.paymentMethods.list({ customer })).data : []
}

async function openAnotherPayment(uid: string) {
  const request = buildTransferRequest(uid)
  const begun = await expectTransferPaymentStarted(request)
  const form = await openCardForm(world, begun)
  if (!form) throw new Error('no form')
  return { ...begun, attemptId: request.attemptId, form }
}

async function saveCard(uid: string, card = 'pm_card_visa') {
  const { paymentIntentId, attemptId } = await openAnotherPayment(uid)
  const paid = await payAndSaveCard(world, paymentIntentId, card)
  if (typeof paid === 'object' && paid.status === 'requires_action') await answerThreeDSecure(world, paid)
  expect(await recordPayment(uid, attemptId)).toMatchObject({ value: { outcome: 'paid' } })
  const [saved] = await listCards(uid)
  return saved?.id ?? ''
}

const pay = async (uid: string, card: string) => {
  const { paymentIntentId, attemptId, form } = await openAnotherPayment(uid)
  return { answer: await form.pay(paymentIntentId, card), attemptId, paymentIntentId }
}

describe('a saved card', () => {
  test('a saved card requires its security code, and pays normally', async () => {
    const uid = await world.person()
    const card = await saveCard(uid)
    const { paymentIntentId, attemptId, form } = await openAnotherPayment(uid)
    expect(form.cards.map(({ id }) => id)).toEqual([card])
    const { stripe } = world.context
    const return_url = world.origin
    await expect(
      stripe.paymentIntents.confirm(paymentIntentId, { payment_method: card, return_url }),
    ).rejects.toMatchObject({ code: 'parameter_missing' })
    expect(await form.pay(paymentIntentId, card)).toMatchObject({ status: 'succeeded' })
    expect(await recordPayment(uid, attemptId)).toMatchObject({ value: { outcome: 'paid' } })
  })

  test('pays an invoice with a saved card', async () => {
    const uid = await world.person()
    const card = await saveCard(uid)
    const bill = { amount: 84.5, currency: 'EUR', dueDate: '2026-11-30', status: 'due' } as const
    await world.context.db.doc('invoices/edf_6012-1001').set(bill)
    const attemptId = crypto.randomUUID()
    const expected = { amount: 8450, currency: 'EUR' as const, dueDate: bill.dueDate }
    const begun = await payInvoice(
      world.context,
      { uid },
      { attemptId, supplier: 'edf', reference: '6012-1001', expected },
    )
    if (!begun.ok) throw new Error(begun.error.code)
    const form = await openCardForm(world, begun.value)
    expect(await form?.pay(begun.value.paymentIntentId, card)).toMatchObject({ status: 'succeeded' })
    expect(await recordPayment(uid, attemptId)).toMatchObject({ value: { outcome: 'paid' } })
  })

  test('the bank is asked about each payment with a saved card', async () => {
    const uid = await world.person()
    const card = await saveCard(uid, 'pm_card_authenticationRequired')
    for (const [answer, outcome] of [
      ['fail', 'unpaid'],
      ['complete', 'paid'],
    ] as const) {
      const { answer: intent, attemptId } = await pay(uid, card)
      expect(intent).toMatchObject({ status: 'requires_action' })
      expect(await recordPayment(uid, attemptId)).toMatchObject({ value: { outcome: 'unclear' } })
      await answerThreeDSecure(world, intent as Stripe.PaymentIntent, answer)
      expect(await recordPayment(uid, attemptId)).toMatchObject({ value: { outcome } })
    }
  })

  test('charges nothing with a saved card that is declined', async () => {
    const uid = await world.person()
    await openAnotherPayment(uid)
    const customer = (await readCustomer(uid))?.customerId ?? ''
    const { id } = await world.context.stripe.paymentMethods.attach('pm_card_chargeCustomerFail', {
      customer,
    })
    const { answer, attemptId } = await pay(uid, id)
    expect(answer).toBe('card_declined')
    expect(await recordPayment(uid, attemptId)).toMatchObject({ value: { outcome: 'unpaid' } })
  })

  test('forgets a saved card once its holder removes it', async () => {
    const uid = await world.person()
    const card = await saveCard(uid)
    expect(await (await openAnotherPayment(uid)).form.remove(card)).toBe(200)
    const { form, paymentIntentId } = await openAnotherPayment(uid)
    expect(form.cards).toEqual([])
    expect(typeof (await form.pay(paymentIntentId, card))).not.toBe('object')
  })

  test('the payment form does not show the card of a plan', async () => {
    const uid = await world.person()
    await payForCheckout(uid)
    expect(await listCards(uid)).toHaveLength(1)
    expect((await openAnotherPayment(uid)).form.cards).toEqual([])
    expect(await customers()).toHaveLength(1)
  })
})

describe('the customer of a user', () => {
  test('a user’s concurrent payments and plan share one Stripe customer', async () => {
    const uid = await world.person()
    const begun = await Promise.all(
      [1, 2, 3].map(() => expectTransferPaymentStarted(buildTransferRequest(uid))),
    )
    await payForCheckout(uid)
    const [only, ...more] = await customers()
    expect(more).toEqual([])
    expect(only?.metadata).toEqual({ deployment: world.context.deployment, uid })
    for (const { paymentIntentId, customerSession } of begun) {
      expect(customerSession).toMatch(/^cuss_/)
      expect(listIntents().find(({ id }) => id === paymentIntentId)?.customer).toBe(only?.id)
    }
  })

  test('shows saved cards only to their holder @spec-card-owner', async () => {
    const [ada, eve] = [await world.person(), await world.person()]
    const card = await saveCard(ada)
    const hers = await openAnotherPayment(eve)
    expect(hers.form.cards).toEqual([])
    expect(await hers.form.pay(hers.paymentIntentId, card)).not.toMatchObject({ status: 'succeeded' })
    expect(await hers.form.remove(card)).toBe(404)
    const his = await expectTransferPaymentStarted(buildTransferRequest(ada))
    expect(await openCardForm(world, { ...his, clientSecret: hers.clientSecret })).toBeNull()
    expect(await listCards(ada)).toHaveLength(1)
  })

  test('creates no Stripe customer for a refused payment', async () => {
    const uid = await world.person()
    const tooMuch = buildTransferRequest(uid, { amount: 60_000, expected: { fee: 1800, converted: 1 } })
    expect((await createPaymentIntent(world.context, { uid }, tooMuch)).ok).toBe(false)
    await pausePayments(world.context, uid, OPERATOR_PAUSE_CAUSE)
    const refused = await createPaymentIntent(world.context, { uid }, buildTransferRequest(uid))
    expect(refused).toMatchObject({ error: { code: 'paymentsPaused' } })
    expect(await customers()).toEqual([])
    expect(await readCustomer(uid)).toBeUndefined()
  })
})

describe("saved cards that can't be loaded", () => {
  test.each([
    ['POST /v1/customers', 'status'],
    ['POST /v1/customer_sessions', 'status'],
    ['POST /v1/customer_sessions', 'cutBefore'],
    ['POST /v1/payment_intents/', 'status'],
    ['POST /v1/payment_intents/', 'cutAfter'],
  ] as const)('the user can pay without loaded saved cards (%s, %s)', async (on, kind) => {
    const uid = await world.person()
    const what = kind === 'status' ? { kind, status: 500 } : { kind }
    world.sandbox.faults.add({ on, times: 9, what })
    const request = buildTransferRequest(uid)
    const begun = await expectTransferPaymentStarted(request)
    expect(begun.customerSession).toBeNull()
    expect(world.logged).toContainEqual(expect.objectContaining({ event: 'savedCardsUnavailable' }))
    world.sandbox.faults.reset()
    await world.pay(begun.paymentIntentId)
    expect(await recordPayment(uid, request.attemptId)).toMatchObject({ value: { outcome: 'paid' } })
  })

  test('starting a payment again loads the saved cards', async () => {
    const uid = await world.person()
    world.sandbox.faults.add({
      on: 'POST /v1/customers',
      times: 1,
      what: { kind: 'status', status: 500, kept: true },
    })
    world.sandbox.faults.add({ on: 'POST /v1/customer_sessions', times: 2, what: { kind: 'cutAfter' } })
    const request = buildTransferRequest(uid)
    expect((await expectTransferPaymentStarted(request)).customerSession).toBeNull()
    const again = await expectTransferPaymentStarted(request)
    expect((await openCardForm(world, again))?.cards).toEqual([])
    expect(listIntents()).toHaveLength(1)
  })

  test('loads the saved cards during 3-D Secure without changing the payment', async () => {
    const uid = await world.person()
    const card = await saveCard(uid, 'pm_card_authenticationRequired')
    const request = buildTransferRequest(uid)
    const begun = await expectTransferPaymentStarted(request)
    const form = await openCardForm(world, begun)
    await form?.pay(begun.paymentIntentId, card)
    const before = listIntents().find(({ id }) => id === begun.paymentIntentId)
    const again = await expectTransferPaymentStarted(request)
    expect(again).toMatchObject({ status: 'requires_action', customerSession: expect.any(String) })
    expect(listIntents().find(({ id }) => id === begun.paymentIntentId)).toEqual(before)
  })

  test('does not load the saved cards for a completed payment', async () => {
    const uid = await world.person()
    const request = buildTransferRequest(uid)
    const begun = await expectTransferPaymentStarted(request)
    await world.pay(begun.paymentIntentId)
    await recordPayment(uid, request.attemptId)
    expect((await expectTransferPaymentStarted(request)).customerSession).toBeNull()
  })
})

describe('deleting an account', () => {
  const remove = async (uid: string) => {
    const { status } = await world.invoke('delete-account', {}, { token: await world.token(uid) })
    return status
  }

  test('deleting an account removes its cards, and expires its checkouts', async () => {
    const uid = await world.person()
    await saveCard(uid)
    await saveCard(uid, 'pm_card_mastercard')
    await payForCheckout(uid)
    const [plan] = world.sandbox.stripe.subscriptions()
    const { customerId: customer = '' } = (await readCustomer(uid)) ?? {}
    const page = await world.context.stripe.checkout.sessions.create({
      mode: 'setup',
      currency: 'eur',
      customer,
      success_url: world.origin,
    })
    await requestCancellation(uid, plan?.id ?? '')
    expect(await listCards(uid)).toHaveLength(3)
    expect(await remove(uid)).toBe(200)
    expect(await listCards(uid)).toEqual([])
    expect((await world.context.stripe.checkout.sessions.retrieve(page.id)).status).toBe('expired')
  })

  test('the job completes a deletion of cards, including later ones', async () => {
    const uid = await world.person()
    const card = await saveCard(uid)
    world.sandbox.faults.add({
      on: `POST /v1/payment_methods/${card}/detach`,
      times: 9,
      what: { kind: 'status', status: 500 },
    })
    expect(await remove(uid)).toBe(502)
    world.sandbox.faults.reset()
    await runDueWork(world.context)
    expect(await listCards(uid)).toEqual([])
    const { customerId: customer = '' } = (await readCustomer(uid)) ?? {}
    await world.context.stripe.paymentMethods.attach('pm_card_visa', { customer })
    world.pass(30 * MINUTE)
    await runDueWork(world.context)
    expect(await listCards(uid)).toEqual([])
  })

  test('signing up again with the number shows no former card', async () => {
    const uid = await world.person()
    await saveCard(uid)
    expect(await remove(uid)).toBe(200)
    world.pass(2 * HOUR)
    await runDueWork(world.context)
    const back = await world.person({}, uid)
    expect((await openAnotherPayment(back)).form.cards).toEqual([])
    expect((await readCustomer(back))?.customerId).not.toBe((await readCustomer(uid))?.customerId)
  })
})
