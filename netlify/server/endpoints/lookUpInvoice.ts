import type { RequestOf } from '../../../domain/api.ts'
import { MINUTE } from '../../../domain/duration.ts'
import { checkInvoiceLookup, type Invoice, type InvoiceLookup } from '../../../domain/invoice.ts'
import { err, ok, type Result } from '../../../domain/result.ts'
import { findInvoice } from '../payments/invoiceReservations.ts'
import type { Caller } from '../platform/caller.ts'
import { type Context, withTimeout } from '../platform/context.ts'
import { traceOf } from '../platform/log.ts'
import { type Limit, takeTurn } from '../platform/rateLimits.ts'
import { type Refusal, type RefusalBy, refusal, refused, tooManyRequests } from '../platform/refusals.ts'

/**
 * Far more than a household's post of one evening, and too few to find out what others owe by trying references: each
 * answer, of a look-up or of a payment, says whether there is such an invoice.
 */
export const INVOICES_PER_USER: Limit = { name: 'invoices/user', most: 30, windowMs: 10 * MINUTE }

/**
 * The invoice with this supplier and reference, whoever it was issued to: a bill is often paid by somebody else. It says
 * nothing about anybody. Specification, sections 2 and 5.
 */
export async function lookUpInvoice(
  context: Context,
  caller: Caller,
  body: RequestOf<'lookup-invoice'>,
): Promise<Result<{ readonly invoice: Invoice }, RefusalBy<'lookup-invoice'>>> {
  const lookup = readLookup(body)
  if (!lookup.ok) return lookup
  try {
    const turn = await withTimeout(context, takeInvoiceTurn(context, caller))
    if (!turn.ok) return turn
    const invoice = await withTimeout(context, findInvoice(context, lookup.value))
    return invoice ? ok({ invoice }) : err(refusal('invoiceNotFound'))
  } catch (error) {
    context.log({ level: 'error', event: 'invoiceUnavailable', ...traceOf(error) })
    return err(refusal('invoiceUnavailable'))
  }
}

/** What names an invoice, if it can name one. */
export function readLookup({
  supplier,
  reference,
}: InvoiceLookup): Result<
  InvoiceLookup,
  Refusal<'invoiceFieldsRequired' | 'supplierUnknown' | 'referenceInvalid'>
> {
  const lookup = checkInvoiceLookup({ supplier, reference })
  if (lookup.ok) return lookup
  const [first = { kind: 'invoiceFieldsRequired' as const }] = lookup.error
  return err(refused(first))
}

export async function takeInvoiceTurn(
  context: Context,
  { uid }: Caller,
): Promise<Result<null, Refusal<'tooManyRequests'>>> {
  const turn = await takeTurn(context, [{ limit: INVOICES_PER_USER, of: uid }])
  return turn.ok ? turn : err(tooManyRequests(turn.error.waitMs))
}
