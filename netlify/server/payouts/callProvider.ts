import * as v from 'valibot'
import { MINUTE } from '../../../domain/common/duration.ts'
import { payoutSchema } from '../../../domain/transfers/shapes/payoutSchema.ts'
import type { DeliveryEvent } from '../../../machines/delivery.ts'
import type { OrderUpdate } from './orders.ts'
import type { PayoutContext } from './payoutContext.ts'
import type { Payout, PayoutApi } from './providers/provider.ts'
import { findSenderIdentity } from './senderIdentity.ts'

/** A suspended process may wake when the payout has been taken for lost and refunded. */
const SEND_WITHIN = MINUTE

/** Returns undefined if the order's next step needs no call, null if the provider did not answer. */
export async function callProvider(
  { db, now }: PayoutContext,
  api: PayoutApi,
  transferId: string,
  { order, todo }: OrderUpdate,
): Promise<DeliveryEvent | null | undefined> {
  const { reference, amount } = order
  if (todo.includes('checkBalance')) {
    const balance = await api.balance(amount.currency)
    if (balance === null) return null
    return balance.minor >= amount.minor ? { type: 'balance.sufficient' } : undefined
  }
  if (reference === null) return undefined
  const payout: Payout = { ...v.parse(payoutSchema, order), reference, transferId }
  if (todo.includes('checkPayout')) return askState(api, payout, now)
  if (!todo.includes('requestPayout')) return undefined
  const identity = api.asksForIdentity ? await findSenderIdentity(db, order.uid, now()) : undefined
  if (now() - (order.sentAt ?? 0) > SEND_WITHIN) return null
  const sent = await api.send({ ...payout, ...(identity && { identity }) })
  if (sent.kind === 'silent') return null
  if (sent.kind === 'taken') return { type: 'payout.accepted', at: now() }
  const state = await askState(api, payout, now)
  // A refusal counts only if the provider does not know the reference.
  if (sent.kind === 'refused' && state?.type === 'payout.notFound')
    return { type: 'payout.refused', failure: sent.failure }
  return state?.type === 'payout.notFound' ? null : state
}

async function askState(api: PayoutApi, payout: Payout, now: () => number): Promise<DeliveryEvent | null> {
  const state = await api.state(payout)
  switch (state.kind) {
    case 'silent':
      return null
    case 'unknown':
      return { type: 'payout.notFound', hold: null, at: now() }
    case 'pending':
      return { type: 'payout.accepted', at: now() }
    case 'contradicted':
      return { type: 'payout.mismatched', at: now() }
    case 'delivered':
      return { type: 'payout.delivered', proof: state.proof, at: now() }
    case 'failed':
      return { type: 'payout.failed', failure: state.failure }
  }
}
