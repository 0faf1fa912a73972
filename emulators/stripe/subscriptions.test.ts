import Stripe from 'stripe'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type RunningServer, serve } from '../serve.ts'
import { TEST_PLANS } from '../testing/stripe.ts'
import { createStripeEmulator, type StripeEmulator } from './stripe.ts'

const START = Date.UTC(2026, 0, 31, 12)
const DAY = 86_400_000

let now: number
let unknown: string[]
let emulator: StripeEmulator
let server: RunningServer
let stripe: Stripe

beforeEach(async () => {
  now = START
  unknown = []
  emulator = create()
  server = await serve((request) => emulator.app.fetch(request))
  const { port } = server
  stripe = new Stripe('sk_test_sandbox', { host: '127.0.0.1', port, protocol: 'http', maxNetworkRetries: 0 })
})
afterEach(async () => {
  expect(unknown).toEqual([])
  await server.close()
})

const create = () =>
  createStripeEmulator({
    secretKey: 'sk_test_sandbox',
    publishableKey: 'pk_test_sandbox',
    webhookSecret: 'whsec_sandbox',
    plans: TEST_PLANS,
    clock: { now: () => now },
    reportUnknown: (service, what) => unknown.push(`${service}: ${what}`),
    publicOrigin: () => server.origin,
    webhookUrl: () => null,
  })

async function checkout(params: Partial<Stripe.Checkout.SessionCreateParams> = {}) {
  const { id: customer } = await stripe.customers.create({ metadata: { uid: 'u1' } })
  const { data } = await stripe.prices.list({ lookup_keys: ['demo_premium'], active: true })
  return stripe.checkout.sessions.create({
    mode: 'subscription',
    customer,
    line_items: [{ price: data[0]?.id ?? '', quantity: 1 }],
    subscription_data: { metadata: { uid: 'u1' } },
    success_url: 'http://localhost/settings?session_id={CHECKOUT_SESSION_ID}',
    cancel_url: 'http://localhost/settings',
    ...params,
  })
}

const post = (url: string, fields: Record<string, string>) =>
  fetch(url, { method: 'POST', body: new URLSearchParams(fields), redirect: 'manual' })
const card = (number: string, expiry = '12/30') => ({ number, expiry, cvc: '123' })

async function subscribe() {
  const session = await checkout()
  await post(session.url ?? '', card('4242 4242 4242 4242'))
  const { data } = await stripe.subscriptions.list({ customer: session.customer as string })
  const [subscription] = data
  if (!subscription) throw new Error('no subscription')
  return subscription
}

async function useCard(subscription: Stripe.Subscription, id: string) {
  const customer = subscription.customer as string
  const attached = await stripe.paymentMethods.attach(id, { customer })
  await stripe.subscriptions.update(subscription.id, { default_payment_method: attached.id })
}

const getPeriod = ({ items }: Stripe.Subscription) => [
  new Date((items.data[0]?.current_period_start ?? 0) * 1000).toISOString(),
  new Date((items.data[0]?.current_period_end ?? 0) * 1000).toISOString(),
]
const types = () => emulator.events().map(({ type }) => type)
const isOfPlan = (type: string) => /^(customer\.subscription|invoice|checkout)/.test(type)

describe('the hosted checkout page', () => {
  test('the checkout page can’t be framed, and follows the language', async () => {
    const session = await checkout({ locale: 'fr' })
    expect(new URL(session.url ?? '').hostname).toBe('localhost')
    const page = await fetch(session.url ?? '')
    expect(page.headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
    expect(page.headers.get('cache-control')).toBe('no-store')
    const text = await page.text()
    expect(text).toContain('<html lang="fr">')
    expect(text).toContain('S’abonner à Demo Premium')
    expect(text).toMatch(/5,00\s€/)
  })

  test('paying at the checkout creates one subscription and redirects', async () => {
    const session = await checkout()
    const paid = await post(session.url ?? '', card('4242424242424242'))
    const back = `http://localhost/settings?session_id=${session.id}`
    expect([paid.status, paid.headers.get('location')]).toEqual([303, back])
    const again = await post(session.url ?? '', card('4242424242424242'))
    expect(again.headers.get('location')).toBe(back)
    expect(await stripe.checkout.sessions.retrieve(session.id)).toMatchObject({
      status: 'complete',
      payment_status: 'paid',
      url: null,
    })
    expect(emulator.subscriptions()).toHaveLength(1)
    expect(types().filter(isOfPlan)).toEqual([
      'customer.subscription.created',
      'invoice.created',
      'invoice.finalized',
      'invoice.paid',
      'customer.subscription.updated',
      'checkout.session.completed',
    ])
  })

  test.each([
    [card('4000000000000002'), 'Your card was declined. Nothing was charged.', ['incomplete']],
    [card('4000000000000341'), 'Your card was declined. Nothing was charged.', ['incomplete']],
    [card('4242424242424241'), 'Your card number is incorrect.', []],
    [card('4242424242424242', '13/30'), 'Your card&#39;s expiration month is invalid.', []],
    [card('4242424242424242', '13'), 'Your card&#39;s expiration date is incomplete.', []],
  ])('the checkout page shows an error for %j, then retries', async (wrong, words, begun) => {
    const session = await checkout({ locale: 'en' })
    const refused = await post(session.url ?? '', wrong)
    expect([refused.status, await refused.text()]).toEqual([200, expect.stringContaining(words)])
    expect(emulator.subscriptions().map(({ status }) => status)).toEqual(begun)
    expect((await post(session.url ?? '', card('4242424242424242'))).status).toBe(303)
    expect(emulator.subscriptions().map(({ status }) => status)).toEqual(['active'])
    expect(emulator.paymentIntents()).toHaveLength(1)
  })

  test.each([
    ['complete', 'success'],
    ['fail', 'Your bank could not confirm that it is you.'],
  ])('the checkout page redirects for 3-D Secure and handles "%s"', async (answer, end) => {
    const session = await checkout({ locale: 'en' })
    const sent = await post(session.url ?? '', card('4000002760003184'))
    const bank = new URL(sent.headers.get('location') ?? '')
    const answered = await fetch(`${server.origin}${bank.pathname}/${bank.searchParams.get('source')}`, {
      method: 'POST',
      body: answer,
    })
    const { returnUrl } = (await answered.json()) as { returnUrl: string }
    const back = await fetch(returnUrl, { redirect: 'manual' })
    if (end === 'success') expect(back.headers.get('location')).toContain(session.id)
    else expect(await back.text()).toContain(end)
  })

  test('the hosted checkout page is closed once its session has expired', async () => {
    const [first, second] = [await checkout(), await checkout()]
    expect(await stripe.checkout.sessions.expire(first.id)).toMatchObject({ status: 'expired', url: null })
    await expect(stripe.checkout.sessions.expire(first.id)).rejects.toThrow('Only Checkout Sessions')
    now += DAY
    expect((await stripe.checkout.sessions.retrieve(second.id)).status).toBe('expired')
    for (const { url } of [first, second])
      expect(await (await fetch(url ?? '', { headers: { 'accept-language': 'en' } })).text()).toContain(
        'This page is no longer valid',
      )
    expect((await fetch(`${server.origin}/sandbox/stripe/checkout/cs_none`)).status).toBe(200)
  })

  test.each<[Partial<Stripe.Checkout.SessionCreateParams>, string]>([
    [{ customer: 'cus_none' }, 'No such customer'],
    [{ line_items: [{ price: 'price_none', quantity: 1 }] }, 'No such price'],
    [{ success_url: 'nowhere' }, 'Not a valid URL'],
  ])('refuses a checkout session with %j', async (params, message) => {
    await expect(checkout(params)).rejects.toThrow(message)
  })
})

describe('a subscription', () => {
  test('a subscription renews on the same or the month’s last day @spec-plan-renewal', async () => {
    const subscription = await subscribe()
    expect(getPeriod(subscription)).toEqual(['2026-01-31T12:00:00.000Z', '2026-02-28T12:00:00.000Z'])
    now = Date.UTC(2026, 2, 1)
    const renewed = await stripe.subscriptions.retrieve(subscription.id)
    expect(getPeriod(renewed)).toEqual(['2026-02-28T12:00:00.000Z', '2026-03-31T12:00:00.000Z'])
    now = Date.UTC(2026, 11, 31, 12)
    expect(getPeriod(await stripe.subscriptions.retrieve(subscription.id))).toEqual([
      '2026-12-31T12:00:00.000Z',
      '2027-01-31T12:00:00.000Z',
    ])
    const { data } = await stripe.invoices.list({ subscription: subscription.id, limit: 100 })
    expect(data.map(({ status, amount_paid: paid }) => [status, paid])).toEqual(Array(12).fill(['paid', 500]))
  })

  test('a declined renewal ends the subscription after four attempts', async () => {
    const subscription = await subscribe()
    await useCard(subscription, 'pm_card_chargeCustomerFail')
    now = Date.UTC(2026, 1, 28, 12)
    const statuses = []
    for (let day = 0; day <= 15; day += 1) {
      statuses.push((await stripe.subscriptions.retrieve(subscription.id)).status)
      now += DAY
    }
    expect(statuses).toEqual([...Array(15).fill('past_due'), 'canceled'])
    expect(await stripe.subscriptions.retrieve(subscription.id)).toMatchObject({
      ended_at: Date.UTC(2026, 2, 15, 12) / 1000,
      cancellation_details: { reason: 'payment_failed' },
    })
    expect(types().filter((type) => type === 'invoice.payment_failed')).toHaveLength(4)
    expect(types().at(-1)).toBe('customer.subscription.deleted')
  })

  test('another card pays a declined renewal at the next retry', async () => {
    const subscription = await subscribe()
    await useCard(subscription, 'pm_card_chargeCustomerFail')
    now = Date.UTC(2026, 2, 1)
    await useCard(subscription, 'pm_card_visa')
    now += 3 * DAY
    expect(await stripe.subscriptions.retrieve(subscription.id)).toMatchObject({ status: 'active' })
    expect(types().slice(-2)).toEqual(['invoice.paid', 'customer.subscription.updated'])
  })

  describe('a renewal with a card that requires 3-D Secure', () => {
    async function createUnconfirmedRenewal() {
      const subscription = await subscribe()
      await useCard(subscription, 'pm_card_authenticationRequired')
      now = Date.UTC(2026, 1, 28, 12)
      const { status, latest_invoice: id } = await stripe.subscriptions.retrieve(subscription.id)
      expect(status).toBe('past_due')
      return { subscription, invoice: await stripe.invoices.retrieve(String(id)) }
    }
    const getStatus = async ({ id }: Stripe.Subscription) => (await stripe.subscriptions.retrieve(id)).status
    /** Answers the bank; returns the text of the page after it. */
    async function confirm({ hosted_invoice_url: url }: Stripe.Invoice, answer: 'complete' | 'fail') {
      const sent = await post(url ?? '', {})
      const bank = new URL(sent.headers.get('location') ?? '')
      const source = bank.searchParams.get('source')
      const answered = await fetch(`${bank.origin}${bank.pathname}/${source}`, {
        method: 'POST',
        body: answer,
      })
      const { returnUrl } = (await answered.json()) as { returnUrl: string }
      return (await fetch(returnUrl, { headers: { 'accept-language': 'en' } })).text()
    }

    test('the renewal waits for the cardholder, and the subscription is past due', async () => {
      const { invoice } = await createUnconfirmedRenewal()
      expect(invoice).toMatchObject({
        status: 'open',
        next_payment_attempt: Date.UTC(2026, 2, 3, 12) / 1000,
      })
      const { data } = await stripe.invoicePayments.list({
        invoice: String(invoice.id),
        expand: ['data.payment.payment_intent'],
      })
      expect(data).toMatchObject([{ payment: { payment_intent: { status: 'requires_action' } } }])
      expect(types().slice(-4)).toEqual([
        'payment_intent.requires_action',
        'invoice.payment_failed',
        'invoice.payment_action_required',
        'customer.subscription.updated',
      ])
      expect(emulator.charges()).toHaveLength(1)
    })

    test('the invoice’s page leads to the bank, whose confirmation pays', async () => {
      const { subscription, invoice } = await createUnconfirmedRenewal()
      const page = await fetch(invoice.hosted_invoice_url ?? '', { headers: { 'accept-language': 'fr' } })
      expect(page.headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
      expect(await page.text()).toContain('Confirmer le paiement')
      expect(await confirm(invoice, 'complete')).toContain('Invoice paid')
      expect(types().slice(-2)).toEqual(['invoice.paid', 'customer.subscription.updated'])
      expect(await getStatus(subscription)).toBe('active')
      expect(emulator.charges().map(({ status }) => status)).toEqual(['succeeded', 'succeeded'])
    })

    test('after a failed authentication the page offers another one', async () => {
      const { subscription, invoice } = await createUnconfirmedRenewal()
      expect(await confirm(invoice, 'fail')).toContain('The payment was not confirmed.')
      expect(await getStatus(subscription)).toBe('past_due')
      expect(await confirm(invoice, 'complete')).toContain('Invoice paid')
      expect(await getStatus(subscription)).toBe('active')
    })

    test('voiding an invoice cancels its PaymentIntent', async () => {
      const { invoice } = await createUnconfirmedRenewal()
      await stripe.invoices.voidInvoice(String(invoice.id))
      expect(emulator.paymentIntents().at(-1)?.status).toBe('canceled')
      const page = await fetch(invoice.hosted_invoice_url ?? '', { headers: { 'accept-language': 'en' } })
      expect(await page.text()).toContain('This invoice can no longer be paid')
      const pressed = await post(invoice.hosted_invoice_url ?? '', {})
      expect(pressed.headers.get('location')).toContain('/sandbox/stripe/invoice/')
    })

    test('paying the invoice by call is refused without the cardholder', async () => {
      const { subscription, invoice } = await createUnconfirmedRenewal()
      await expect(stripe.invoices.pay(String(invoice.id))).rejects.toMatchObject({
        type: 'StripeCardError',
        code: 'invoice_payment_intent_requires_action',
      })
      expect(await getStatus(subscription)).toBe('past_due')
    })

    test('a card that required 3-D Secure requires it for renewals', async () => {
      const session = await checkout()
      const sent = await post(session.url ?? '', card('4000002760003184'))
      const bank = new URL(sent.headers.get('location') ?? '')
      await fetch(`${bank.origin}${bank.pathname}/${bank.searchParams.get('source')}`, {
        method: 'POST',
        body: 'complete',
      })
      now = Date.UTC(2026, 1, 28, 12)
      const { data } = await stripe.subscriptions.list({ customer: session.customer as string })
      expect(data.map(({ status }) => status)).toEqual(['past_due'])
    })
  })

  test('a subscription can be canceled later, resumed, or ended immediately', async () => {
    const [kept, ended, gone] = [await subscribe(), await subscribe(), await subscribe()]
    for (const { id } of [kept, ended])
      expect(await stripe.subscriptions.update(id, { cancel_at_period_end: true })).toMatchObject({
        status: 'active',
        cancel_at: Date.UTC(2026, 1, 28, 12) / 1000,
      })
    await stripe.subscriptions.update(kept.id, { cancel_at_period_end: false })
    expect((await stripe.subscriptions.cancel(gone.id)).ended_at).toBe(START / 1000)
    now = Date.UTC(2026, 2, 1)
    expect((await stripe.subscriptions.retrieve(kept.id)).status).toBe('active')
    expect(await stripe.subscriptions.retrieve(ended.id)).toMatchObject({
      status: 'canceled',
      ended_at: Date.UTC(2026, 1, 28, 12) / 1000,
    })
    await expect(stripe.subscriptions.cancel(ended.id)).rejects.toThrow('No such subscription')
    await expect(stripe.subscriptions.update(ended.id, { cancel_at_period_end: true })).rejects.toThrow(
      'A canceled subscription',
    )
  })

  test('with "unpaid", a subscription stays unpaid until its invoice is paid', async () => {
    emulator.afterRetries('unpaid')
    const subscription = await subscribe()
    await useCard(subscription, 'pm_card_chargeCustomerFail')
    now = Date.UTC(2026, 5, 1)
    const unpaid = await stripe.subscriptions.retrieve(subscription.id)
    expect(unpaid).toMatchObject({ status: 'unpaid', ended_at: null })
    expect((await stripe.subscriptions.list({ status: 'unpaid' })).data).toHaveLength(1)
    await useCard(subscription, 'pm_card_visa')
    await stripe.invoices.pay(String(unpaid.latest_invoice))
    expect((await stripe.subscriptions.retrieve(subscription.id)).status).toBe('active')
    expect((await stripe.invoices.list({ subscription: subscription.id })).data).toHaveLength(2)
  })

  test('a subscription is incomplete until 3-D Secure, or expires', async () => {
    const session = await checkout()
    await post(session.url ?? '', card('4000002760003184'))
    const begun = async (status: 'incomplete' | 'incomplete_expired') =>
      (await stripe.subscriptions.list({ customer: session.customer as string, status })).data
    expect(await begun('incomplete')).toMatchObject([{ default_payment_method: null }])
    await stripe.checkout.sessions.expire(session.id)
    expect(await begun('incomplete')).toEqual([])
    const [over] = await begun('incomplete_expired')
    expect((await stripe.invoices.retrieve(String(over?.latest_invoice))).status).toBe('void')
    expect((await stripe.subscriptions.list({ status: 'incomplete_expired' })).data).toHaveLength(1)
  })

  test('a subscription follows the test clock of its customer', async () => {
    const [one, other] = [await subscribe(), await subscribe()]
    const customer = (await stripe.customers.retrieve(one.customer as string)) as Stripe.Customer
    const clock = customer.test_clock as string
    const { frozen_time: time } = await stripe.testHelpers.testClocks.retrieve(clock)
    expect(time).toBe(START / 1000)
    await stripe.testHelpers.testClocks.advance(clock, { frozen_time: time + 30 * 86_400 })
    await expect(stripe.testHelpers.testClocks.advance(clock, { frozen_time: time })).rejects.toThrow('past')
    expect(getPeriod(await stripe.subscriptions.retrieve(one.id))[0]).toBe('2026-02-28T12:00:00.000Z')
    expect(getPeriod(await stripe.subscriptions.retrieve(other.id))[0]).toBe('2026-01-31T12:00:00.000Z')
    now += DAY
    expect((await stripe.testHelpers.testClocks.retrieve(clock)).frozen_time).toBe(time + 31 * 86_400)
    emulator.advance(one.customer as string, 31)
    expect(getPeriod(await stripe.subscriptions.retrieve(one.id))[0]).toBe('2026-03-31T12:00:00.000Z')
  })

  test('a subscription renews after a dump is loaded', async () => {
    const subscription = await subscribe()
    const dump = JSON.parse(JSON.stringify(emulator.dump()))
    emulator = create()
    emulator.load(dump)
    now = Date.UTC(2026, 2, 1)
    expect(await stripe.subscriptions.retrieve(subscription.id)).toMatchObject({ status: 'active' })
    expect((await stripe.invoices.list()).data).toHaveLength(2)
  })
})
