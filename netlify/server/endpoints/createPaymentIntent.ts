import type { StartedPayment, TransferPaymentRequest } from '../../../domain/api/api.ts'
import { err, ok, type Result } from '../../../domain/common/result.ts'
import { money } from '../../../domain/money/money.ts'
import { findDestination } from '../../../domain/numbers/destinations.ts'
import { checkRecipientPhone } from '../../../domain/numbers/phone.ts'
import { checkWallet } from '../../../domain/numbers/wallets.ts'
import { checkRecipientName } from '../../../domain/people/recipientName.ts'
import { checkCoupon } from '../../../domain/prices/coupon.ts'
import { checkTransferAmount } from '../../../domain/prices/limits.ts'
import { freeUnlinkedReservation, startPayment } from '../payments/intents.ts'
import { checkPaymentsOpen } from '../payments/paymentsState.ts'
import { reserveTransfer, type TransferRequest } from '../payments/transferReservations.ts'
import type { Caller } from '../platform/caller.ts'
import { type Context, withTimeout } from '../platform/context.ts'
import type { KeyedAttempt, TransferAttempt } from '../platform/documents.ts'
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
  const request = checkRequest(context, body)
  if (!request.ok) return request
  const { receivingMethod, phone } = request.value.transfer
  const [reserved, isWalletMissing] = await Promise.all([
    reserveInTime(context, caller, request.value),
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

function checkRequest(
  { isRecipientNameRequired }: Context,
  body: TransferPaymentRequest,
): Result<TransferRequest, FunctionRefusal<'create-payment-intent'>> {
  if (body.amount === null) return err(buildRefusal('amountRequired'))
  const gross = checkTransferAmount(money(body.amount, body.currency === 'eur' ? 'EUR' : 'CAD'))
  if (!gross.ok) return err(toRefusal(gross.error))
  const phone = checkRecipientPhone(body.recipientPhone)
  if (!phone.ok) return err(toRefusal(phone.error))
  const destination = findDestination(phone.value)
  if (!destination) return err(buildRefusal('unsupportedDestination'))
  const wallet = checkWallet(body.receivingMethod, destination.code)
  if (!wallet.ok) return err(buildWalletRequiredRefusal(wallet.error))
  const name = checkRecipientName(body.recipientName ?? '', isRecipientNameRequired)
  if (!name.ok) return err(toRefusal(name.error))
  const coupon = checkCoupon(body.couponCode ?? '')
  if (!coupon.ok) return err(toRefusal(coupon.error))
  return ok({
    attemptId: body.attemptId,
    draftId: body.draftId,
    transfer: {
      gross: gross.value,
      phone: phone.value,
      recipientName: name.value,
      destination,
      receivingMethod: wallet.value,
      coupon: coupon.value,
    },
    expected: body.expected,
    shownMinutes: body.expected.minutes ?? null,
    again: body.again,
  })
}

/** Refuses if the month's total can't be read in time. Specification, section 8. */
async function reserveInTime(
  context: Context,
  caller: Caller,
  request: TransferRequest,
): Promise<Result<KeyedAttempt<TransferAttempt>, FunctionRefusal<'create-payment-intent'>>> {
  try {
    const open = await withTimeout(context, checkPaymentsOpen(context))
    if (!open.ok) return open
    return await withTimeout(context, reserveTransfer(context, caller, request, open.value.endedCoupons))
  } catch (error) {
    context.log({ level: 'error', event: 'capUnavailable', ...getTrace(error) })
    return err(buildRefusal('capUnavailable'))
  }
}
