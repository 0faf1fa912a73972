import { findCardByPaymentMethod } from 'service-emulators/stripe'
import type Stripe from 'stripe'
import { expect } from 'vitest'
import type { StartedPayment } from '../../domain/api/api.ts'
import { STRIPE_PUBLISHABLE_KEY } from '../../sandbox/sandbox.ts'
import { findOrCreateCustomer } from '../server/payments/customers.ts'
import type { World } from './world.ts'

type Secrets = Pick<StartedPayment, 'clientSecret' | 'customerSession'>

export interface CardForm {
  readonly cards: readonly Stripe.PaymentMethod[]
  pay(paymentIntentId: string, card: string): Promise<Stripe.PaymentIntent | string | undefined>
  remove(card: string): Promise<number>
}

/** Returns null if the secrets from a function's answer are invalid. */
export async function openCardForm(
  world: World,
  { clientSecret, customerSession }: Secrets,
): Promise<CardForm | null> {
  if (customerSession === null) return null
  const query = new URLSearchParams({
    client_secret: clientSecret,
    customer_session_client_secret: customerSession,
  })
  const opened = await fetch(`${world.origin}/v1/elements/sessions?${query}`, {
    headers: { authorization: `Bearer ${STRIPE_PUBLISHABLE_KEY}` },
  })
  if (!opened.ok) return null
  const { customer } = await opened.json()
  const { stripe } = world.context
  return {
    cards: customer.payment_methods,
    async pay(paymentIntentId, card) {
      const { id: cvc_token } = await stripe.tokens.create({ cvc_update: { cvc: '123' } })
      return stripe.paymentIntents
        .confirm(paymentIntentId, {
          payment_method: card,
          payment_method_options: { card: { cvc_token } },
          return_url: `${world.origin}/payment-complete`,
        })
        .catch((error: { code?: string }) => error.code)
    },
    async remove(card) {
      const { status } = await fetch(`${world.origin}/v1/payment_methods/${card}/detach`, {
        method: 'POST',
        headers: { authorization: `Bearer ${customer.customer_session.api_key}` },
      })
      return status
    },
  }
}

export function payAndSaveCard({ context, origin }: World, paymentIntentId: string, card: string) {
  const number = findCardByPaymentMethod(card)?.number ?? ''
  const typed = { type: 'card' as const, card: { number, exp_month: 12, exp_year: 2034, cvc: '123' } }
  return context.stripe.paymentIntents
    .confirm(paymentIntentId, {
      // The form sends card details, which the SDK's types don't allow.
      payment_method_data: {
        ...typed,
        allow_redisplay: 'always',
      } as Stripe.PaymentIntentConfirmParams.PaymentMethodData,
      setup_future_usage: 'on_session',
      return_url: `${origin}/payment-complete`,
    })
    .catch((error: { code?: string }) => error.code)
}

export async function attachSavedCard({ context }: World, uid: string, card: string) {
  const { stripe } = context
  const customer = await findOrCreateCustomer(context, uid)
  const { id } = await stripe.paymentMethods.attach(card, { customer })
  await stripe.paymentMethods.update(id, { allow_redisplay: 'always' })
}

export async function answerThreeDSecure(
  world: World,
  intent: Stripe.PaymentIntent,
  answer: 'complete' | 'fail' = 'complete',
) {
  const source = new URL(intent.next_action?.redirect_to_url?.url ?? '').searchParams.get('source')
  const response = await fetch(`${world.origin}/sandbox/stripe/3ds/${source}`, {
    method: 'POST',
    body: answer,
  })
  expect(response.status).toBe(200)
  return (await response.json()) as { status: string }
}
