import { expect } from 'vitest'
import { MINUTE } from '../../domain/common/duration.ts'
import { runDueWork } from '../server/endpoints/dueWork.ts'
import { byHandProvider } from '../server/payouts/providers/byHand.ts'
import { recordPayment, world } from './emptyWorld.ts'
import { expectTransferPaymentStarted } from './payments.ts'
import { buildTransferRequest } from './world.ts'

export async function payTransfer({
  isRecorded = true,
  subscription = {},
  card = 'pm_card_visa',
  senderName = 'Ada Lovelace',
  request: asked = {},
} = {}) {
  const uid = await world.person(subscription)
  await renameSender(uid, senderName)
  const fee = 'tier' in subscription ? { fee: 0, converted: 1_060_000 } : { fee: 300, converted: 1_028_200 }
  const request = buildTransferRequest(uid, { expected: fee, ...asked })
  const { paymentIntentId: id } = await expectTransferPaymentStarted(request)
  await world.pay(id, card)
  const settle = () => recordPayment(uid, request.attemptId)
  if (isRecorded) expect(await settle()).toMatchObject({ value: { outcome: 'paid' } })
  return { uid, id, settle, attemptId: request.attemptId, phone: request.recipientPhone.replaceAll(' ', '') }
}

export const renameSender = (uid: string, name: string) =>
  world.context.db.doc(`users/${uid}`).update({ name })
export const readOrder = async (id: string) => (await world.context.db.doc(`deliveries/${id}`).get()).data()
export const readTransactionStatus = async (id: string) =>
  (await world.context.db.doc(`transactions/${id}`).get()).get('status')
export const passTimeWithJob = async (ms = MINUTE) => {
  world.pass(ms)
  return runDueWork(world.context)
}
export const listLoggedEvents = () => world.logged.map(({ event }) => event)
export const enableSimulatedProvider = () => world.payOutBy(world.payouts.provider, byHandProvider)
