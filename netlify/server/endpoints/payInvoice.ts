import type { InvoicePaymentRequest, StartedPayment } from '../../../domain/api/api.ts'
import { err, type Result } from '../../../domain/common/result.ts'
import { money } from '../../../domain/money/money.ts'
import { startPayment } from '../payments/intents.ts'
import { reserveInvoice } from '../payments/invoiceReservations.ts'
import { checkPaymentsOpen } from '../payments/paymentsState.ts'
import type { ReservedAttempt } from '../payments/reservation.ts'
import type { Caller } from '../platform/caller.ts'
import { type Context, withTimeout } from '../platform/context.ts'
import type { InvoiceAttempt } from '../platform/documents.ts'
import { getTrace } from '../platform/log.ts'
import { buildRefusal, type FunctionRefusal } from '../platform/refusals.ts'
import { consumeInvoiceLimit, validateInvoiceLookup } from './lookUpInvoice.ts'

/**
 * Reserves the invoice first, so only one of concurrent payers succeeds. No fee, and no effect on the cap.
 * @throws Stripe's or Firestore's error once the invoice is reserved; the same attempt can be sent again.
 */
export async function payInvoice(
  context: Context,
  caller: Caller,
  body: InvoicePaymentRequest,
): Promise<Result<StartedPayment, FunctionRefusal<'pay-invoice'>>> {
  const reserved = await reserveInTime(context, caller, body)
  return reserved.ok ? startPayment(context, reserved.value) : reserved
}

/** Refuses if the invoice can't be read in time, because nothing may be charged then. */
async function reserveInTime(
  context: Context,
  caller: Caller,
  { attemptId, expected, ...body }: InvoicePaymentRequest,
): Promise<Result<ReservedAttempt<InvoiceAttempt>, FunctionRefusal<'pay-invoice'>>> {
  const lookup = validateInvoiceLookup(body)
  if (!lookup.ok) return lookup
  try {
    const open = await withTimeout(context, checkPaymentsOpen(context))
    if (!open.ok) return open
    const turn = await withTimeout(context, consumeInvoiceLimit(context, caller))
    if (!turn.ok) return turn
    const request = {
      attemptId,
      lookup: lookup.value,
      expected: { amount: money(expected.amount, expected.currency), dueDate: expected.dueDate },
    }
    return await withTimeout(context, reserveInvoice(context, caller, request))
  } catch (error) {
    context.log({ level: 'error', event: 'invoicePaymentUnavailable', ...getTrace(error) })
    return err(buildRefusal('invoicePaymentUnavailable'))
  }
}
