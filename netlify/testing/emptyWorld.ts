import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest'
import { cancelPaymentIntent } from '../server/endpoints/cancelPaymentIntent.ts'
import { recordTransfer } from '../server/endpoints/recordTransfer.ts'
import { createWorld, type World } from './world.ts'

export let world: World

/** Gives each test of a file an empty world; with `isMoneyChecked` what must hold of money has to hold when the test ends. */
export function testInEmptyWorld({ isMoneyChecked = false } = {}): void {
  beforeAll(async () => {
    world = await createWorld()
  })
  beforeEach(() => world.reset())
  if (isMoneyChecked) afterEach(() => world.checkInvariants())
  afterAll(() => world.close())
}

export const record = (uid: string, attemptId: string) =>
  recordTransfer(world.context, { uid }, { attemptId })
export const cancelPayment = (uid: string, attemptId: string) =>
  cancelPaymentIntent(world.context, { uid }, { attemptId })
export const intents = () => world.sandbox.stripe.paymentIntents()
