import Stripe from 'stripe'
import { expect } from 'vitest'
import { serve } from '../serve.ts'
import { createStripeEmulator, type StripeDump, type StripeOptions } from '../stripe/stripe.ts'

export const TEST_SECRET_KEY = 'sk_test_sandbox'
export const TEST_PUBLISHABLE_KEY = 'pk_test_sandbox'
export const TEST_WEBHOOK_SECRET = 'whsec_sandbox'
export const TEST_PLANS = [
  { id: 'basic', name: 'Demo Basic', lookupKey: 'demo_basic', cents: 200 },
  { id: 'premium', name: 'Demo Premium', lookupKey: 'demo_premium', cents: 500 },
]

export interface ReceivedWebhook {
  readonly body: string
  readonly signature: string
}

export async function serveStripe() {
  const settings = {
    now: Date.UTC(2026, 10, 20, 12),
    unknown: [] as string[],
    received: [] as ReceivedWebhook[],
    /** 200 once the list is empty. */
    answers: [] as number[],
    deliver: undefined as StripeOptions['deliver'],
  }
  const endpoint = await serve(async (request) => {
    const signature = request.headers.get('stripe-signature') ?? ''
    settings.received.push({ body: await request.text(), signature })
    return new Response(null, { status: settings.answers.shift() ?? 200 })
  })
  let origin = ''
  const emulator = createStripeEmulator({
    secretKey: TEST_SECRET_KEY,
    publishableKey: TEST_PUBLISHABLE_KEY,
    webhookSecret: TEST_WEBHOOK_SECRET,
    plans: TEST_PLANS,
    clock: { now: () => settings.now },
    reportUnknown: (service, what) => settings.unknown.push(`${service}: ${what}`),
    publicOrigin: () => origin,
    webhookUrl: () => endpoint.origin,
    deliver: (event, send) => (settings.deliver ? settings.deliver(event, send) : send()),
  })
  const server = await serve(emulator.app.fetch)
  origin = server.origin

  const sdk = (key = TEST_SECRET_KEY) =>
    new Stripe(key, { host: '127.0.0.1', port: server.port, protocol: 'http', maxNetworkRetries: 0 })
  const stripe = sdk()

  return Object.assign(settings, {
    emulator,
    origin,
    port: server.port,
    webhookUrl: endpoint.origin,
    sdk,
    stripe,

    newIntent: (params: Partial<Stripe.PaymentIntentCreateParams> = {}) =>
      stripe.paymentIntents.create({
        amount: 10_000,
        currency: 'eur',
        ...params,
      }),

    /** Uses the publishable key and the client secret, like the card frame. */
    async confirm(intent: Stripe.PaymentIntent, params: Record<string, string>) {
      const response = await fetch(`${origin}/v1/payment_intents/${intent.id}/confirm`, {
        method: 'POST',
        headers: { authorization: `Bearer ${TEST_PUBLISHABLE_KEY}` },
        body: new URLSearchParams({ client_secret: intent.client_secret ?? '', ...params }),
      })
      return { status: response.status, body: await response.json() }
    },

    async answerChallenge(source: string, answer: 'complete' | 'fail') {
      const response = await fetch(`${origin}/sandbox/stripe/3ds/${source}`, { method: 'POST', body: answer })
      return response.json()
    },

    change(work: (dump: StripeDump) => void) {
      const dump = emulator.dump()
      work(dump)
      emulator.load(dump)
    },

    eventTypes: () => emulator.events().map(({ type }) => type),

    async stop() {
      emulator.reset()
      await server.close()
      await endpoint.close()
    },
  })
}

export type StripeTestServer = Awaited<ReturnType<typeof serveStripe>>

export const buildCardConfirmParams = (number: string, rest: Record<string, string> = {}) => ({
  'payment_method_data[type]': 'card',
  'payment_method_data[card][number]': number,
  'payment_method_data[card][exp_month]': '12',
  'payment_method_data[card][exp_year]': '30',
  'payment_method_data[card][cvc]': '123',
  use_stripe_sdk: 'true',
  return_url: 'http://localhost/payment-complete',
  ...rest,
})

export const catchStripeError = (promise: Promise<unknown>) =>
  promise.then(
    () => expect.unreachable('should have been refused'),
    (error) => error as InstanceType<typeof Stripe.errors.StripeError>,
  )
