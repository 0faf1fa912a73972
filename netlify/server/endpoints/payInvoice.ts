import type { InvoicePaymentRequest, PaymentStarted } from '../../../domain/api.ts'
import { money } from '../../../domain/money.ts'
import { err, type Result } from '../../../domain/result.ts'
import { startPayment } from '../payments/intents.ts'
import { reserveInvoice } from '../payments/invoiceReservations.ts'
import type { Caller } from '../platform/caller.ts'
import { checkOpen } from '../platform/closing.ts'
import { type Context, withTimeout } from '../platform/context.ts'
import type { InvoiceAttempt, KeyedAttempt } from '../platform/documents.ts'
import { traceOf } from '../platform/log.ts'
import { type RefusalBy, refusal } from '../platform/refusals.ts'
import { readLookup, takeInvoiceTurn } from './lookUpInvoice.ts'

/**
 * Starts the card payment of an invoice, or finds it again: reserves the invoice for this attempt, and only then makes the
 * PaymentIntent. So of all who pay one invoice at once, one gets through. It costs no fee and counts toward no cap.
 *
 * @throws Stripe's or Firestore's error once the invoice is reserved; the same attempt can be sent again.
 */
export async function payInvoice(
  context: Context,
  caller: Caller,
  body: InvoicePaymentRequest,
): Promise<Result<PaymentStarted, RefusalBy<'pay-invoice'>>> {
  const reserved = await reserveInTime(context, caller, body)
  return reserved.ok ? startPayment(context, reserved.value) : reserved
}

/** When the invoice can't be read in time nothing may be charged. */
async function reserveInTime(
  context: Context,
  caller: Caller,
  { attemptId, expected, ...body }: InvoicePaymentRequest,
): Promise<Result<KeyedAttempt<InvoiceAttempt>, RefusalBy<'pay-invoice'>>> {
  const lookup = readLookup(body)
  if (!lookup.ok) return lookup
  try {
    const open = await withTimeout(context, checkOpen(context))
    if (!open.ok) return open
    const turn = await withTimeout(context, takeInvoiceTurn(context, caller))
    if (!turn.ok) return turn
    const request = {
      attemptId,
      lookup: lookup.value,
      expected: { amount: money(expected.amount, expected.currency), dueDate: expected.dueDate },
    }
    return await withTimeout(context, reserveInvoice(context, caller, request))
  } catch (error) {
    context.log({ level: 'error', event: 'invoicePaymentUnavailable', ...traceOf(error) })
    return err(refusal('invoicePaymentUnavailable'))
  }
}
