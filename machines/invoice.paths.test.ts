import { expect, test } from 'vitest'
import { err } from '../domain/common/result.ts'
import { EMPTY_INVOICE_DRAFT } from '../domain/invoices/invoice.ts'
import type { CheckoutAttempt, CheckoutEvent } from './checkoutTypes.ts'
import { type InvoiceParts, invoiceMachine } from './invoice.ts'
import {
  attempt,
  buildDraft,
  buildReserveAnswer,
  draft,
  now,
  otherInvoice,
  profile,
  receipt,
} from './testing/invoiceSituations.ts'
import { walk } from './testing/walk.ts'

test('each attempt pays one invoice, and only the server gives receipts', () => {
  const answers = [
    { outcome: 'paid', receipt },
    { outcome: 'unpaid', status: 'requires_payment_method' },
    { outcome: 'unpaid', status: 'canceled' },
    { outcome: 'unclear', status: 'requires_action' },
    { outcome: 'unclear', status: 'processing' },
    { outcome: 'refunded' },
    { outcome: 'disputed' },
  ]
  const { untaken } = walk({
    machine: invoiceMachine,
    input: { profile, isOnline: true, at: now },
    events: (snapshot) => {
      const { reference } = snapshot.context.draft
      const events: CheckoutEvent<InvoiceParts>[] = [
        ...[draft, buildDraft(otherInvoice), EMPTY_INVOICE_DRAFT].map((patch) => ({
          type: 'draft.change' as const,
          patch,
        })),
        { type: 'draft.restore', draft: buildDraft(otherInvoice), draftId: 'd1' },
        { type: 'draft.clear' },
        { type: 'form.confirm', attemptId: `for ${reference}`, at: now, recent: [] },
        { type: 'payment.submit' },
        { type: 'payment.close' },
        { type: 'outcome.check' },
        { type: 'outcome.leave' },
        { type: 'receipt.close' },
        { type: 'problem.dismiss' },
        { type: 'profile.changed', profile },
        { type: 'time.passed', at: now },
        { type: 'network.lost' },
        { type: 'network.restored' },
      ]
      return events.filter((event) => snapshot.can(event))
    },
    answers: {
      findOpenAttempt: [null, attempt],
      findLatestAttempt: [null, attempt],
      reserve: [
        buildReserveAnswer(),
        buildReserveAnswer('processing'),
        buildReserveAnswer('succeeded'),
        err({ kind: 'invoiceUnderWay' }),
        err({ kind: 'initFailed' }),
      ],
      confirmCard: [
        { kind: 'answered', status: 'succeeded' },
        { kind: 'answered', status: 'processing' },
        { kind: 'cardInvalid' },
        { kind: 'declined', reason: 'insufficient_funds', message: 'Not enough' },
      ],
      record: answers,
      release: [{ outcome: 'released' }, ...answers],
    },
    blur: ({ unclearAnswers, problem, problems, receipt: paid, ...context }) => ({
      ...context,
      isTold: [problem?.kind, problems.length > 0, paid !== null],
    }),
    invariant: ({ event, before, after, asked, at }) => {
      const isReceipt = after.matches('receipt')
      expect(after.context.receipt !== null, at).toBe(isReceipt)
      if (isReceipt && !before.matches('receipt')) expect(event.output, at).toEqual(answers[0])
      const { invoice: found, supplier, reference } = after.context.draft
      if (found) expect([found.supplier, found.reference], at).toEqual([supplier, reference])
      const invoices = new Map<string, unknown>()
      for (const { src, input } of asked as {
        src: string
        input: { attempt: CheckoutAttempt<InvoiceParts> }
      }[]) {
        if (src !== 'reserve') continue
        const { id, order } = input.attempt
        expect(order.status, at).toBe('due')
        expect(invoices.get(id) ?? order, at).toEqual(order)
        invoices.set(id, order)
      }
    },
  })
  expect(untaken).toEqual([])
})
