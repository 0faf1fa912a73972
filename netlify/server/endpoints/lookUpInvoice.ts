import type { FunctionRequest } from '../../../domain/api/api.ts'
import { MINUTE } from '../../../domain/common/duration.ts'
import { err, ok, type Result } from '../../../domain/common/result.ts'
import { checkInvoiceLookup, type Invoice, type InvoiceLookup } from '../../../domain/invoices/invoice.ts'
import { findInvoice } from '../payments/invoiceReservations.ts'
import type { Caller } from '../platform/caller.ts'
import { type Context, withTimeout } from '../platform/context.ts'
import { getTrace } from '../platform/log.ts'
import { consumeRateLimits, type RateLimit } from '../platform/rateLimits.ts'
import {
  buildRefusal,
  buildTooManyRequestsRefusal,
  type FunctionRefusal,
  type Refusal,
  toRefusal,
} from '../platform/refusals.ts'

/** Far more than a household's bills, but too few calls to find other people's invoices by guessing. */
export const INVOICE_CALLS_LIMIT: RateLimit = { name: 'invoices/user', most: 30, windowMs: 10 * MINUTE }

/** Also another customer's, so the answer has no personal data. Specification, sections 2 and 5. */
export async function lookUpInvoice(
  context: Context,
  caller: Caller,
  body: FunctionRequest<'lookup-invoice'>,
): Promise<Result<{ readonly invoice: Invoice }, FunctionRefusal<'lookup-invoice'>>> {
  const lookup = validateInvoiceLookup(body)
  if (!lookup.ok) return lookup
  try {
    const turn = await withTimeout(context, consumeInvoiceLimit(context, caller))
    if (!turn.ok) return turn
    const invoice = await withTimeout(context, findInvoice(context, lookup.value))
    return invoice ? ok({ invoice }) : err(buildRefusal('invoiceNotFound'))
  } catch (error) {
    context.log({ level: 'error', event: 'invoiceUnavailable', ...getTrace(error) })
    return err(buildRefusal('invoiceUnavailable'))
  }
}

export function validateInvoiceLookup({
  supplier,
  reference,
}: InvoiceLookup): Result<
  InvoiceLookup,
  Refusal<'invoiceFieldsRequired' | 'supplierUnknown' | 'referenceInvalid'>
> {
  const lookup = checkInvoiceLookup({ supplier, reference })
  if (lookup.ok) return lookup
  const [first = { kind: 'invoiceFieldsRequired' as const }] = lookup.error
  return err(toRefusal(first))
}

export async function consumeInvoiceLimit(
  context: Context,
  { uid }: Caller,
): Promise<Result<null, Refusal<'tooManyRequests'>>> {
  const turn = await consumeRateLimits(context, [{ limit: INVOICE_CALLS_LIMIT, of: uid }])
  return turn.ok ? turn : err(buildTooManyRequestsRefusal(turn.error.waitMs))
}
