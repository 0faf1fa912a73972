import { expect } from 'vitest'
import { MINUTE } from '../../domain/duration.ts'
import { sweep } from '../server/endpoints/sweep.ts'
import { byHand } from '../server/payouts/providers/byHand.ts'
import { record, world } from './emptyWorld.ts'
import { started } from './payments.ts'
import { requestOf } from './world.ts'

/** A transfer of 100 EUR to Guinea that somebody has paid; recorded unless it says otherwise. */
export async function paid({
  isRecorded = true,
  subscription = {},
  card = 'pm_card_visa',
  request: asked = {},
} = {}) {
  const uid = await world.person(subscription)
  const fee = 'tier' in subscription ? { fee: 0, converted: 1_060_000 } : { fee: 300, converted: 1_028_200 }
  const request = requestOf(uid, { expected: fee, ...asked })
  const { paymentIntentId: id } = await started(request)
  await world.pay(id, card)
  const settle = () => record(uid, request.attemptId)
  if (isRecorded) expect(await settle()).toMatchObject({ value: { outcome: 'paid' } })
  return { uid, id, settle, attemptId: request.attemptId, phone: request.recipientPhone.replaceAll(' ', '') }
}

export const order = async (id: string) => (await world.context.db.doc(`deliveries/${id}`).get()).data()
export const status = async (id: string) =>
  (await world.context.db.doc(`transactions/${id}`).get()).get('status')
export const later = async (ms = MINUTE) => {
  world.pass(ms)
  return sweep(world.context)
}
export const events = () => world.logged.map(({ event }) => event)
/** MTN is the provider of `payouts`. */
export const mtn = () => world.payOutBy(world.payouts.provider, byHand)
