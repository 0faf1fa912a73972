import Stripe from 'stripe'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import {
  buildCardConfirmParams,
  type ReceivedWebhook,
  type StripeTestServer,
  serveStripe,
  TEST_WEBHOOK_SECRET,
} from '../testing/stripe.ts'

let served: StripeTestServer
let stripe: Stripe
beforeEach(async () => {
  served = await serveStripe()
  stripe = served.stripe
})
afterEach(() => served.stop())

describe('webhooks', () => {
  test('an enabled endpoint gets only event types that it subscribes to', async () => {
    const [known] = (await stripe.webhookEndpoints.list()).data
    expect(known).toMatchObject({
      object: 'webhook_endpoint',
      url: served.webhookUrl,
      api_version: Stripe.API_VERSION,
      enabled_events: ['*'],
      status: 'enabled',
    })
    served.change(({ webhookEndpoints: [[, endpoint] = ['', null]] }) => {
      if (endpoint) endpoint.enabled_events = ['payment_intent.succeeded']
    })
    await served.confirm(await served.newIntent(), buildCardConfirmParams('4242424242424242'))
    await served.emulator.settled()
    expect(served.received.map(({ body }) => JSON.parse(body).type)).toEqual(['payment_intent.succeeded'])

    served.change(({ webhookEndpoints: [[, endpoint] = ['', null]] }) => {
      if (endpoint) endpoint.status = 'disabled'
    })
    await served.confirm(await served.newIntent(), buildCardConfirmParams('4242424242424242'))
    await served.emulator.settled()
    expect(served.received).toHaveLength(1)
  })

  const verified = ({ body, signature }: ReceivedWebhook) =>
    stripe.webhooks.constructEvent(body, signature, TEST_WEBHOOK_SECRET, 300, undefined, served.now / 1000)

  test('a webhook is signed over the body with the event’s intent', async () => {
    const intent = await served.newIntent()
    await served.confirm(intent, buildCardConfirmParams('4242424242424242'))
    await served.emulator.settled()
    const events = served.received
      .map(verified)
      .filter(({ type }) => type.startsWith('payment_intent.'))
      .sort((a, b) => (a.type < b.type ? -1 : 1))
    expect(events).toMatchObject([
      {
        object: 'event',
        type: 'payment_intent.created',
        api_version: Stripe.API_VERSION,
        pending_webhooks: 1,
        data: { object: { id: intent.id, status: 'requires_payment_method' } },
      },
      {
        type: 'payment_intent.succeeded',
        data: { object: { id: intent.id, status: 'succeeded', amount_received: 10_000 } },
      },
    ])
    const [first] = served.received
    expect(() => first && verified({ ...first, body: `${first.body} ` })).toThrow(/signature/i)
    expect(served.emulator.events().map(({ pending_webhooks }) => pending_webhooks)).toEqual([0, 0, 0])
    const [listed] = (await stripe.events.list({ types: ['payment_intent.succeeded'] })).data
    expect(listed?.id).toBe(events[1]?.id)
    expect((await stripe.events.retrieve(events[1]?.id ?? '')).type).toBe('payment_intent.succeeded')
  })

  test('events are returned for 30 days', async () => {
    await served.newIntent()
    const [event] = (await stripe.events.list()).data
    served.now += 30 * 86_400_000
    expect((await stripe.events.list()).data).toEqual([event])
    served.now += 1000
    expect((await stripe.events.list()).data).toEqual([])
    await expect(stripe.events.retrieve(event?.id ?? '')).rejects.toMatchObject({ code: 'resource_missing' })
  })

  test('a webhook is retried until the endpoint accepts it', async () => {
    served.answers = [500, 302]
    await served.newIntent()
    await served.emulator.settled()
    expect(served.received).toHaveLength(3)
    expect(new Set(served.received.map((webhook) => verified(webhook).id)).size).toBe(1)
  })

  test('a delivery policy can lose or duplicate webhooks', async () => {
    served.deliver = async () => undefined
    await served.newIntent()
    await served.emulator.settled()
    expect(served.received).toEqual([])
    served.deliver = async (_, send) => {
      await send()
      await send()
    }
    await served.newIntent()
    await served.emulator.settled()
    expect(served.received).toHaveLength(2)
  })

  test('resetting the Stripe emulator stops pending webhooks', async () => {
    served.answers = Array.from({ length: 20 }, () => 500)
    await served.newIntent()
    served.emulator.reset()
    await served.emulator.settled()
    expect(served.received).toEqual([])
  })
})
