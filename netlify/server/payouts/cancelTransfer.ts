import type { FunctionRequest, FunctionResponse } from '../../../domain/api/api.ts'
import { err, ok, type Result } from '../../../domain/common/result.ts'
import type { DeliveryState } from '../../../domain/payouts/deliveryOrder.ts'
import { arePaymentsClosed } from '../payments/paymentsState.ts'
import type { Caller } from '../platform/caller.ts'
import { parseTransaction } from '../platform/documents.ts'
import { transactions } from '../platform/records.ts'
import { buildRefusal, type FunctionRefusal } from '../platform/refusals.ts'
import { updateDelivery } from './deliver.ts'
import type { PayoutContext } from './payoutContext.ts'

/** The money is not on its way, although the sender can't cancel. */
const WITH_US: readonly DeliveryState[] = ['held', 'waiting']

/**
 * One transaction decides between the sender, the hand-over and an operator's claim. Refuses while payments
 * are closed, because a restored database may have lost a claim.
 * @throws Stripe's or Firestore's error; calling again is safe.
 */
export async function cancelTransfer(
  context: PayoutContext,
  { uid }: Caller,
  { id }: FunctionRequest<'cancel-transfer'>,
): Promise<Result<FunctionResponse<'cancel-transfer'>, FunctionRefusal<'cancel-transfer'>>> {
  if (await arePaymentsClosed(context)) return err(buildRefusal('paymentsClosed'))
  const update = await updateDelivery(context, id, (order) =>
    order.uid === uid ? { type: 'order.cancel', at: context.now() } : null,
  )
  if (!update) return err(buildRefusal('paymentNotFound'))
  if (update.order.uid !== uid) return err(buildRefusal('forbidden'))
  const { canceledAt, state } = update.order
  if (canceledAt === null)
    return err(buildRefusal(WITH_US.includes(state) ? 'cancellationUnavailable' : 'cancellationTooLate'))
  const stored = await transactions(context.db).doc(id).get()
  return ok({ transaction: parseTransaction(stored.data()) })
}
