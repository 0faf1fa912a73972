import type { PaymentStarted, TransferPaymentRequest } from '../../domain/api.ts'
import { createPaymentIntent } from '../server/endpoints/createPaymentIntent.ts'
import type { Context } from '../server/platform/context.ts'
import { world } from './emptyWorld.ts'
import { START } from './world.ts'

export const start = (request: TransferPaymentRequest, uid = request.senderId) =>
  createPaymentIntent(world.context, { uid }, request)
export const started = async (request: TransferPaymentRequest): Promise<PaymentStarted> => {
  const result = await start(request)
  if (!result.ok) throw new Error(`refused: ${result.error.code}`)
  return result.value
}
/** Each answer opens the saved cards by a secret of its own. */
export const withoutSession = ({ customerSession: _, ...rest }: PaymentStarted) => rest
/** The functions of a process in which something else happens when it asks for a new PaymentIntent. */
export function asking(ask: (create: () => Promise<unknown>) => Promise<unknown>): Context {
  const { stripe } = world.context
  const paymentIntents = Object.create(stripe.paymentIntents, {
    create: {
      value: (...input: Parameters<typeof stripe.paymentIntents.create>) =>
        ask(() => stripe.paymentIntents.create(...input)),
    },
  })
  return {
    ...world.context,
    stripe: Object.create(stripe, { paymentIntents: { value: paymentIntents } }),
  }
}
export const eventOf = (type: string, paymentIntentId: string) => {
  const event = world.sandbox.stripe
    .events()
    .find((one) => one.type === type && (one.data.object as { id?: string }).id === paymentIntentId)
  if (!event) throw new Error(`no event ${type}`)
  return event
}
export const premium = (transactionsLeft: number, lastReset = START) =>
  ({ tier: 'premium', status: 'active', transactionsLeft, startDate: START, lastReset }) as const
export const left = async (uid: string) =>
  (await world.context.db.doc(`users/${uid}`).get()).get('subscription.transactionsLeft')
export const ledger = async (uid: string, month = '2026-11') =>
  (await world.context.db.doc(`ledgers/${uid}_${month}`).get()).data()
