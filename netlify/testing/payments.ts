import type { StartedPayment, TransferPaymentRequest } from '../../domain/api/api.ts'
import { createPaymentIntent } from '../server/endpoints/createPaymentIntent.ts'
import type { PaymentContext } from '../server/platform/payouts.ts'
import { world } from './emptyWorld.ts'
import { WORLD_START } from './world.ts'

export const startTransferPayment = (request: TransferPaymentRequest, uid = request.senderId) =>
  createPaymentIntent(world.context, { uid }, request)
export const expectTransferPaymentStarted = async (
  request: TransferPaymentRequest,
): Promise<StartedPayment> => {
  const result = await startTransferPayment(request)
  if (!result.ok) throw new Error(`refused: ${result.error.code}`)
  return result.value
}
/** Removes the secret for the saved cards, which differs in each answer. */
export const omitCustomerSession = ({ customerSession: _, ...rest }: StartedPayment) => rest
export function createInterceptedContext(
  ask: (create: () => Promise<unknown>) => Promise<unknown>,
): PaymentContext {
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
export const findEvent = (type: string, paymentIntentId: string) => {
  const event = world.sandbox.stripe
    .events()
    .find((one) => one.type === type && (one.data.object as { id?: string }).id === paymentIntentId)
  if (!event) throw new Error(`no event ${type}`)
  return event
}
export const buildPremiumSubscription = (transactionsLeft: number, lastReset = WORLD_START) =>
  ({ tier: 'premium', status: 'active', transactionsLeft, startDate: WORLD_START, lastReset }) as const
export const readSlotsLeft = async (uid: string) =>
  (await world.context.db.doc(`users/${uid}`).get()).get('subscription.transactionsLeft')
export const readStoredLedger = async (uid: string, month = '2026-11') =>
  (await world.context.db.doc(`ledgers/${uid}_${month}`).get()).data()
