import { createPaymentIntent } from '../server/endpoints/createPaymentIntent.ts'
import { recordTransfer } from '../server/endpoints/recordTransfer.ts'
import { waitForBackgroundWork } from '../server/platform/context.ts'
import { buildTransferRequest, type World } from './world.ts'

/** Test number whose payouts MTN's sandbox leaves pending. */
const PENDING_NUMBER = '+224660000453'

/** Each item has its own user and recipient. More than 10 EUR each would be held: there are few cards. */
export function createDueItems(world: World) {
  let items = 0

  async function abandonForm(recipientPhone?: string) {
    items += 1
    const uid = await world.person()
    const request = buildTransferRequest(uid, {
      amount: 1_000,
      expected: { fee: 30, converted: 102_820 },
      recipientPhone: recipientPhone ?? `+224661${String(items).padStart(6, '0')}`,
      receivingMethod: 'mtn_money',
    })
    const started = await createPaymentIntent(world.context, { uid }, request)
    if (!started.ok) throw new Error(started.error.code)
    const record = async () => {
      await recordTransfer(world.context, { uid }, { attemptId: request.attemptId })
      await waitForBackgroundWork(world.context)
    }
    return { uid, record, id: started.value.paymentIntentId }
  }

  /** Pays a transfer of which no webhook arrives. */
  async function payUnheard(recipientPhone?: string) {
    const form = await abandonForm(recipientPhone)
    await world.pay(form.id, items % 2 ? 'pm_card_visa' : 'pm_card_mastercard')
    return form
  }

  return {
    abandonForm,
    payUnheard,

    async oweRefund() {
      const { uid, record } = await payUnheard()
      await world.context.db.doc(`users/${uid}`).delete()
      world.sandbox.faults.add({ on: 'POST /v1/refunds', times: 3, what: { kind: 'status', status: 500 } })
      await record()
    },

    async postponeOrder() {
      const { record } = await payUnheard()
      world.sandbox.faults.add({ on: 'POST /disbursement', times: 9, what: { kind: 'cutBefore' } })
      await record()
      world.sandbox.faults.reset()
    },

    async leavePending() {
      const { record } = await payUnheard(PENDING_NUMBER)
      await record()
    },

    async decideDeletion() {
      const { db } = world.context
      const uid = await world.person()
      const batch = db.batch()
      for (let n = 0; n < 5; n += 1) batch.set(db.doc(`contacts/${uid}_${n}`), { userId: uid, name: 'Ada' })
      batch.set(db.doc(`deletions/${uid}`), { uid, status: 'due', createdAt: world.now() })
      batch.delete(db.doc(`users/${uid}`))
      await batch.commit()
    },
  }
}
