import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest'
import { cancelPaymentIntent } from '../server/endpoints/cancelPaymentIntent.ts'
import { recordTransfer } from '../server/endpoints/recordTransfer.ts'
import { waitForBackgroundWork } from '../server/platform/context.ts'
import { createWorld, type World } from './world.ts'

export let world: World

export function resetWorldForEachTest({ isMoneyChecked = false } = {}): void {
  beforeAll(async () => {
    world = await createWorld()
  })
  beforeEach(() => world.reset())
  if (isMoneyChecked) afterEach(() => world.checkInvariants())
  afterAll(() => world.close())
}

export async function recordPayment(uid: string, attemptId: string) {
  const recorded = await recordTransfer(world.context, { uid }, { attemptId })
  await waitForBackgroundWork(world.context)
  return recorded
}
export const cancelPayment = (uid: string, attemptId: string) =>
  cancelPaymentIntent(world.context, { uid }, { attemptId })
export const listIntents = () => world.sandbox.stripe.paymentIntents()
