import type { StartedPayment, TransferPaymentRequest } from '../../../domain/api/api.ts'
import { err, type Result } from '../../../domain/common/result.ts'
import type { UnpricedTransfer } from '../../../domain/transfers/shapes/orderSchema.ts'
import { checkRequest, type RequestProblem } from '../../../domain/transfers/shapes/request.ts'
import { freeUnlinkedReservation, startPayment } from '../payments/intents.ts'
import { checkPaymentsOpen } from '../payments/paymentsState.ts'
import type { ReservedAttempt } from '../payments/reservation.ts'
import { reserveTransfer } from '../payments/transferReservations.ts'
import type { Caller } from '../platform/caller.ts'
import { type Context, withTimeout } from '../platform/context.ts'
import type { TransferAttempt } from '../platform/documents.ts'
import { getTrace } from '../platform/log.ts'
import type { PaymentContext } from '../platform/payouts.ts'
import {
  buildRefusal,
  buildWalletRequiredRefusal,
  type FunctionRefusal,
  toRefusal,
} from '../platform/refusals.ts'

/**
 * Starts the card payment of a transfer, or finds it again. Specification, sections 4, 7 and 9.
 * @throws Stripe's or Firestore's error once the amount is reserved; the same attempt can be sent again.
 */
export async function createPaymentIntent(
  context: PaymentContext,
  caller: Caller,
  body: TransferPaymentRequest,
): Promise<Result<StartedPayment, FunctionRefusal<'create-payment-intent'>>> {
  if (body.senderId !== caller.uid) return err(buildRefusal('forbidden'))
  if (body.amount === null) return err(buildRefusal('amountRequired'))
  const checked = checkRequest(body, body.amount, context.isRecipientNameRequired)
  if (!checked.ok) return err(toFieldRefusal(checked.error))
  const { receivingMethod, phone } = checked.value
  const [reserved, isWalletMissing] = await Promise.all([
    reserveInTime(context, caller, body, checked.value),
    context.payouts?.lacksWallet(context, caller, receivingMethod, phone),
  ])
  if (!reserved.ok) return reserved
  const { key, attempt } = reserved.value
  if (isWalletMissing && attempt.paymentIntentId === null) {
    await freeUnlinkedReservation(context, key)
    return err(buildRefusal('walletMissing'))
  }
  return startPayment(context, reserved.value)
}

function toFieldRefusal({ field: _, ...problem }: RequestProblem): FunctionRefusal<'create-payment-intent'> {
  return problem.kind === 'walletRequired' ? buildWalletRequiredRefusal(problem) : toRefusal(problem)
}

/** Refuses if the month's total can't be read in time. Specification, section 8. */
async function reserveInTime(
  context: Context,
  caller: Caller,
  request: TransferPaymentRequest,
  transfer: UnpricedTransfer,
): Promise<Result<ReservedAttempt<TransferAttempt>, FunctionRefusal<'create-payment-intent'>>> {
  try {
    const open = await withTimeout(context, checkPaymentsOpen(context))
    if (!open.ok) return open
    return await withTimeout(
      context,
      reserveTransfer(context, caller, request, transfer, open.value.endedCoupons),
    )
  } catch (error) {
    context.log({ level: 'error', event: 'capUnavailable', ...getTrace(error) })
    return err(buildRefusal('capUnavailable'))
  }
}
