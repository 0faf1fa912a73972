import type { PaymentStarted, TransferPaymentRequest } from '../../../domain/api.ts'
import { checkCoupon } from '../../../domain/coupon.ts'
import { destinationOf } from '../../../domain/destinations.ts'
import { checkAmount } from '../../../domain/limits.ts'
import { money } from '../../../domain/money.ts'
import { checkRecipientPhone } from '../../../domain/phone.ts'
import { err, ok, type Result } from '../../../domain/result.ts'
import { checkWallet } from '../../../domain/wallets.ts'
import { startPayment } from '../payments/intents.ts'
import { reserve, type TransferRequest } from '../payments/transferReservations.ts'
import type { Caller } from '../platform/caller.ts'
import { checkOpen } from '../platform/closing.ts'
import { type Context, withTimeout } from '../platform/context.ts'
import type { KeyedAttempt, TransferAttempt } from '../platform/documents.ts'
import { traceOf } from '../platform/log.ts'
import { type RefusalBy, refusal, refused, walletRequired } from '../platform/refusals.ts'

/**
 * Starts the card payment of a transfer, or finds it again: checks the rules of the form and the price, reserves
 * the amount for this attempt, and only then makes the PaymentIntent. Specification, sections 4, 7 and 9.
 *
 * @throws Stripe's or Firestore's error once the amount is reserved; the same attempt can be sent again.
 */
export async function createPaymentIntent(
  context: Context,
  caller: Caller,
  body: TransferPaymentRequest,
): Promise<Result<PaymentStarted, RefusalBy<'create-payment-intent'>>> {
  if (body.senderId !== caller.uid) return err(refusal('forbidden'))
  const request = checkRequest(body)
  if (!request.ok) return request
  const reserved = await reserveInTime(context, caller, request.value)
  return reserved.ok ? startPayment(context, reserved.value) : reserved
}

function checkRequest(
  body: TransferPaymentRequest,
): Result<TransferRequest, RefusalBy<'create-payment-intent'>> {
  if (body.amount === null) return err(refusal('amountRequired'))
  const gross = checkAmount(money(body.amount, body.currency === 'eur' ? 'EUR' : 'CAD'))
  if (!gross.ok) return err(refused(gross.error))
  const phone = checkRecipientPhone(body.recipientPhone)
  if (!phone.ok) return err(refused(phone.error))
  const destination = destinationOf(phone.value)
  if (!destination) return err(refusal('unsupportedDestination'))
  const wallet = checkWallet(body.receivingMethod, destination.code)
  if (!wallet.ok) return err(walletRequired(wallet.error))
  const coupon = checkCoupon(body.couponCode ?? '')
  if (!coupon.ok) return err(refused(coupon.error))
  return ok({
    attemptId: body.attemptId,
    transfer: {
      gross: gross.value,
      phone: phone.value,
      destination,
      receivingMethod: wallet.value,
      coupon: coupon.value,
    },
    expected: body.expected,
    shownMinutes: body.expected.minutes ?? null,
    again: body.again,
  })
}

/** When the month's total can't be read in time nothing may be charged. Specification, section 8. */
async function reserveInTime(
  context: Context,
  caller: Caller,
  request: TransferRequest,
): Promise<Result<KeyedAttempt<TransferAttempt>, RefusalBy<'create-payment-intent'>>> {
  try {
    const open = await withTimeout(context, checkOpen(context))
    if (!open.ok) return open
    return await withTimeout(context, reserve(context, caller, request, open.value.endedCoupons))
  } catch (error) {
    context.log({ level: 'error', event: 'capUnavailable', ...traceOf(error) })
    return err(refusal('capUnavailable'))
  }
}
