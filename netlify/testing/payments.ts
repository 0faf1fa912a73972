import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest'
import type { PaymentStarted } from '../../domain/api.ts'
import { cancelPaymentIntent } from '../server/endpoints/cancelPaymentIntent.ts'
import { createPaymentIntent, type PaymentRequest } from '../server/endpoints/createPaymentIntent.ts'
import { recordTransfer } from '../server/endpoints/recordTransfer.ts'
import type { Context } from '../server/platform/context.ts'
import { createWorld, START, type World } from './world.ts'

export let world: World

/** Gives each test of a file an empty world, in which what must hold of money holds when the test ends. */
export function testPayments(): void {
  beforeAll(async () => {
    world = await createWorld()
  })
  beforeEach(() => world.reset())
  afterEach(() => world.checkInvariants())
  afterAll(() => world.close())
}

export const start = (request: PaymentRequest, uid = request.senderId) =>
  createPaymentIntent(world.context, { uid }, request)
export const started = async (request: PaymentRequest): Promise<PaymentStarted> => {
  const result = await start(request)
  if (!result.ok) throw new Error(`refused: ${result.error.code}`)
  return result.value
}
export const record = (uid: string, attemptId: string) =>
  recordTransfer(world.context, { uid }, { attemptId })
export const cancel = (uid: string, attemptId: string) =>
  cancelPaymentIntent(world.context, { uid }, { attemptId })
export const intents = () => world.sandbox.stripe.paymentIntents()
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
