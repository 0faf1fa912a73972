import { expect, test } from 'vitest'
import { err } from '../domain/common/result.ts'
import { EMPTY_INVOICE_DRAFT, type Invoice } from '../domain/invoices/invoice.ts'
import type { CheckoutEvent } from './checkoutTypes.ts'
import { type InvoiceParts, invoiceMachine } from './invoice.ts'
import {
  blurCheckout,
  buildCheckoutAnswers,
  CHECKOUT_EVENTS,
  expectOneOrderPerAttempt,
  expectReceiptOfServer,
} from './testing/checkoutWalk.ts'
import {
  attempt,
  buildDraft,
  draft,
  now,
  otherInvoice,
  profile,
  receipt,
} from './testing/invoiceSituations.ts'
import { walk } from './testing/walk.ts'

test('each attempt pays one invoice, and only the server gives receipts', () => {
  const { untaken } = walk({
    machine: invoiceMachine,
    input: { profile, isOnline: true, at: now },
    events: (snapshot) => {
      const { reference } = snapshot.context.draft
      const events: CheckoutEvent<InvoiceParts>[] = [
        ...CHECKOUT_EVENTS,
        ...[draft, buildDraft(otherInvoice), EMPTY_INVOICE_DRAFT].map((patch) => ({
          type: 'draft.change' as const,
          patch,
        })),
        { type: 'draft.restore', draft: buildDraft(otherInvoice), draftId: 'd1' },
        { type: 'form.confirm', attemptId: `for ${reference}`, at: now, recent: [] },
        { type: 'profile.changed', profile },
        { type: 'time.passed', at: now },
      ]
      return events.filter((event) => snapshot.can(event))
    },
    answers: buildCheckoutAnswers(attempt, receipt, [
      err({ kind: 'invoiceUnderWay' }),
      err({ kind: 'initFailed' }),
    ]),
    blur: blurCheckout,
    invariant: (step) => {
      expectReceiptOfServer(step, receipt)
      const order = expectOneOrderPerAttempt(step) as Invoice | undefined
      if (order) expect(order.status, step.at).toBe('due')
      const { invoice: found, supplier, reference } = step.after.context.draft
      if (found) expect([found.supplier, found.reference], step.at).toEqual([supplier, reference])
    },
  })
  expect(untaken).toEqual([])
})
