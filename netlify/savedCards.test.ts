import type Stripe from 'stripe'
import { describe, expect, test } from 'vitest'
import { HOUR, MINUTE } from '../domain/duration.ts'
import { createPaymentIntent } from './server/endpoints/createPaymentIntent.ts'
import { payInvoice } from './server/endpoints/payInvoice.ts'
import { sweep } from './server/endpoints/sweep.ts'
import { BY_OPERATOR, pausePaying } from './server/operations/pauses.ts'
import { intents, record, testInEmptyWorld, world } from './testing/emptyWorld.ts'
import { started } from './testing/payments.ts'
import { cancel, payer, subscribe } from './testing/plans.ts'
import { answerBank, openCardForm, payAndSave } from './testing/savedCards.ts'
import { requestOf } from './testing/world.ts'

testInEmptyWorld({ isMoneyChecked: true })

const customers = async () => (await world.context.stripe.customers.list({ limit: 100 })).data
const cardsOf = async (uid: string) => {
  const customer = (await payer(uid))?.customerId
  return customer ? (await world.context.stripe.paymentMethods.list({ customer })).data : []
}

/** Opens the form of another payment of somebody's. */
async function another(uid: string) {
  const request = requestOf(uid)
  const begun = await started(request)
  const form = await openCardForm(world, begun)
  if (!form) throw new Error('no form')
  return { ...begun, attemptId: request.attemptId, form }
}

/** Pays and keeps the card for the next time, as who ticks it in the form. */
async function save(uid: string, card = 'pm_card_visa') {
  const { paymentIntentId, attemptId } = await another(uid)
  const paid = await payAndSave(world, paymentIntentId, card)
  if (typeof paid === 'object' && paid.status === 'requires_action') await answerBank(world, paid)
  expect(await record(uid, attemptId)).toMatchObject({ value: { outcome: 'paid' } })
  const [saved] = await cardsOf(uid)
  return saved?.id ?? ''
}

const pay = async (uid: string, card: string) => {
  const { paymentIntentId, attemptId, form } = await another(uid)
  return { answer: await form.pay(paymentIntentId, card), attemptId, paymentIntentId }
}

describe('a saved card', () => {
  test('is shown to its holder, charged with its code, and recorded like any other', async () => {
    const uid = await world.person()
    const card = await save(uid)
    const { paymentIntentId, attemptId, form } = await another(uid)
    expect(form.cards.map(({ id }) => id)).toEqual([card])
    const { stripe } = world.context
    const return_url = world.origin
    await expect(
      stripe.paymentIntents.confirm(paymentIntentId, { payment_method: card, return_url }),
    ).rejects.toMatchObject({ code: 'parameter_missing' })
    expect(await form.pay(paymentIntentId, card)).toMatchObject({ status: 'succeeded' })
    expect(await record(uid, attemptId)).toMatchObject({ value: { outcome: 'paid' } })
  })

  test('pays an invoice too', async () => {
    const uid = await world.person()
    const card = await save(uid)
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
    expect(await record(uid, attemptId)).toMatchObject({ value: { outcome: 'paid' } })
  })

  test('goes by its bank each time, and is recorded only when that agrees', async () => {
    const uid = await world.person()
    const card = await save(uid, 'pm_card_authenticationRequired')
    for (const [answer, outcome] of [
      ['fail', 'unpaid'],
      ['complete', 'paid'],
    ] as const) {
      const { answer: intent, attemptId } = await pay(uid, card)
      expect(intent).toMatchObject({ status: 'requires_action' })
      expect(await record(uid, attemptId)).toMatchObject({ value: { outcome: 'unclear' } })
      await answerBank(world, intent as Stripe.PaymentIntent, answer)
      expect(await record(uid, attemptId)).toMatchObject({ value: { outcome } })
    }
  })

  test('that is declined charges nothing, and counts as one that was typed', async () => {
    const uid = await world.person()
    await another(uid)
    const customer = (await payer(uid))?.customerId ?? ''
    const { id } = await world.context.stripe.paymentMethods.attach('pm_card_chargeCustomerFail', {
      customer,
    })
    const { answer, attemptId } = await pay(uid, id)
    expect(answer).toBe('card_declined')
    expect(await record(uid, attemptId)).toMatchObject({ value: { outcome: 'unpaid' } })
  })

  test('is gone for good once its holder has removed it', async () => {
    const uid = await world.person()
    const card = await save(uid)
    expect(await (await another(uid)).form.remove(card)).toBe(200)
    const { form, paymentIntentId } = await another(uid)
    expect(form.cards).toEqual([])
    expect(typeof (await form.pay(paymentIntentId, card))).not.toBe('object')
  })

  test('is not the card of a plan, which can neither be seen nor removed here', async () => {
    const uid = await world.person()
    await subscribe(uid)
    expect(await cardsOf(uid)).toHaveLength(1)
    expect((await another(uid)).form.cards).toEqual([])
    expect(await customers()).toHaveLength(1)
  })
})

describe('the customer of a person', () => {
  test('is one, whatever begins at once', async () => {
    const uid = await world.person()
    const begun = await Promise.all([1, 2, 3].map(() => started(requestOf(uid))))
    await subscribe(uid)
    const [only, ...more] = await customers()
    expect(more).toEqual([])
    expect(only?.metadata).toEqual({ deployment: world.context.deployment, uid })
    for (const { paymentIntentId, customerSession } of begun) {
      expect(customerSession).toMatch(/^cuss_/)
      expect(intents().find(({ id }) => id === paymentIntentId)?.customer).toBe(only?.id)
    }
  })

  test('is never that of somebody else, whose cards open to nobody but them @spec-card-owner', async () => {
    const [ada, eve] = [await world.person(), await world.person()]
    const card = await save(ada)
    const hers = await another(eve)
    expect(hers.form.cards).toEqual([])
    expect(await hers.form.pay(hers.paymentIntentId, card)).not.toMatchObject({ status: 'succeeded' })
    expect(await hers.form.remove(card)).toBe(404)
    const his = await started(requestOf(ada))
    expect(await openCardForm(world, { ...his, clientSecret: hers.clientSecret })).toBeNull()
    expect(await cardsOf(ada)).toHaveLength(1)
  })

  test('is not asked for before the payment may begin', async () => {
    const uid = await world.person()
    const tooMuch = requestOf(uid, { amount: 60_000, expected: { fee: 1800, converted: 1 } })
    expect((await createPaymentIntent(world.context, { uid }, tooMuch)).ok).toBe(false)
    await pausePaying(world.context, uid, BY_OPERATOR)
    const refused = await createPaymentIntent(world.context, { uid }, requestOf(uid))
    expect(refused).toMatchObject({ error: { code: 'paymentsPaused' } })
    expect(await customers()).toEqual([])
    expect(await payer(uid)).toBeUndefined()
  })
})

describe('what is not to be had', () => {
  test.each([
    ['POST /v1/customers', 'status'],
    ['POST /v1/customer_sessions', 'status'],
    ['POST /v1/customer_sessions', 'cutBefore'],
    ['POST /v1/payment_intents/', 'status'],
    ['POST /v1/payment_intents/', 'cutAfter'],
  ] as const)('of saved cards keeps nobody from paying: %s, %s', async (on, kind) => {
    const uid = await world.person()
    const what = kind === 'status' ? { kind, status: 500 } : { kind }
    world.sandbox.faults.add({ on, times: 9, what })
    const request = requestOf(uid)
    const begun = await started(request)
    expect(begun.customerSession).toBeNull()
    expect(world.logged).toContainEqual(expect.objectContaining({ event: 'savedCardsUnavailable' }))
    world.sandbox.faults.reset()
    await world.pay(begun.paymentIntentId)
    expect(await record(uid, request.attemptId)).toMatchObject({ value: { outcome: 'paid' } })
  })

  test('is there with the next payment', async () => {
    const uid = await world.person()
    world.sandbox.faults.add({
      on: 'POST /v1/customers',
      times: 1,
      what: { kind: 'status', status: 500, kept: true },
    })
    world.sandbox.faults.add({ on: 'POST /v1/customer_sessions', times: 2, what: { kind: 'cutAfter' } })
    const request = requestOf(uid)
    expect((await started(request)).customerSession).toBeNull()
    const again = await started(request)
    expect((await openCardForm(world, again))?.cards).toEqual([])
    expect(intents()).toHaveLength(1)
  })

  test('is opened while the bank asks, which changes nothing of the payment', async () => {
    const uid = await world.person()
    const card = await save(uid, 'pm_card_authenticationRequired')
    const request = requestOf(uid)
    const begun = await started(request)
    const form = await openCardForm(world, begun)
    await form?.pay(begun.paymentIntentId, card)
    const before = intents().find(({ id }) => id === begun.paymentIntentId)
    const again = await started(request)
    expect(again).toMatchObject({ status: 'requires_action', customerSession: expect.any(String) })
    expect(intents().find(({ id }) => id === begun.paymentIntentId)).toEqual(before)
  })

  test('is not asked for of a payment that is over', async () => {
    const uid = await world.person()
    const request = requestOf(uid)
    const begun = await started(request)
    await world.pay(begun.paymentIntentId)
    await record(uid, request.attemptId)
    expect((await started(request)).customerSession).toBeNull()
  })
})

describe('deleting an account', () => {
  const remove = async (uid: string) => {
    const { status } = await world.invoke('delete-account', {}, { token: await world.token(uid) })
    return status
  }

  test('takes all its cards from the provider, that of a plan too, and ends the pages that could save one', async () => {
    const uid = await world.person()
    await save(uid)
    await save(uid, 'pm_card_mastercard')
    await subscribe(uid)
    const [plan] = world.sandbox.stripe.subscriptions()
    const { customerId: customer = '' } = (await payer(uid)) ?? {}
    const page = await world.context.stripe.checkout.sessions.create({
      mode: 'setup',
      currency: 'eur',
      customer,
      success_url: world.origin,
    })
    await cancel(uid, plan?.id ?? '')
    expect(await cardsOf(uid)).toHaveLength(3)
    expect(await remove(uid)).toBe(200)
    expect(await cardsOf(uid)).toEqual([])
    expect((await world.context.stripe.checkout.sessions.retrieve(page.id)).status).toBe('expired')
  })

  test('goes on with it when the provider could not be asked, and looks once more later', async () => {
    const uid = await world.person()
    const card = await save(uid)
    world.sandbox.faults.add({
      on: `POST /v1/payment_methods/${card}/detach`,
      times: 9,
      what: { kind: 'status', status: 500 },
    })
    expect(await remove(uid)).toBe(502)
    world.sandbox.faults.reset()
    await sweep(world.context)
    expect(await cardsOf(uid)).toEqual([])
    const { customerId: customer = '' } = (await payer(uid)) ?? {}
    await world.context.stripe.paymentMethods.attach('pm_card_visa', { customer })
    world.pass(30 * MINUTE)
    await sweep(world.context)
    expect(await cardsOf(uid)).toEqual([])
  })

  test('leaves nothing to who comes back with the same number', async () => {
    const uid = await world.person()
    await save(uid)
    expect(await remove(uid)).toBe(200)
    world.pass(2 * HOUR)
    await sweep(world.context)
    const back = await world.person({}, uid)
    expect((await another(back)).form.cards).toEqual([])
    expect((await payer(back))?.customerId).not.toBe((await payer(uid))?.customerId)
  })
})
