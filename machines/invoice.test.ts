import { afterEach, expect, test } from 'vitest'
import { HOUR } from '../domain/common/duration.ts'
import { err } from '../domain/common/result.ts'
import { EMPTY_INVOICE_DRAFT, type Invoice, type InvoiceDraft } from '../domain/invoices/invoice.ts'
import { money } from '../domain/money/money.ts'
import type { CheckoutAttempt, CheckoutEvent, PartsRefusal } from './checkoutTypes.ts'
import { type InvoiceParts, invoiceMachine, isInvoiceAttemptOver } from './invoice.ts'
import {
  attempt,
  buildDraft,
  buildReserveAnswer,
  draft,
  invoice,
  now,
  otherInvoice,
  profile,
  receipt,
  startEditing,
  stopTestActor,
} from './testing/invoiceSituations.ts'
import { walk } from './testing/walk.ts'

afterEach(stopTestActor)

test('confirming an invoice reserves it exactly as it was shown', async () => {
  const { confirm, reserve, situation } = await startEditing()
  confirm()
  expect(reserve.asked).toEqual([{ uid: 'u1', attempt }])
  await reserve.answer(buildReserveAnswer())
  expect(situation()).toMatchObject({ value: 'awaitingCard', attempt })
})

test.each<[string, InvoiceDraft, string[]]>([
  ['an invoice without a supplier and a reference', EMPTY_INVOICE_DRAFT, ['supplier', 'reference']],
  ['an invoice that was not looked up', { ...draft, invoice: null }, ['invoice']],
  ['an invoice that is paid', buildDraft({ ...invoice, status: 'paid' }), ['invoice']],
  ['an invoice that seems to be paid', buildDraft({ ...invoice, status: 'seemsPaid' }), ['invoice']],
  ['an invoice that is being paid', buildDraft({ ...invoice, status: 'processing' }), ['invoice']],
])('the invoice form does not reserve %s', async (_, found, fields) => {
  const { confirm, reserve, situation } = await startEditing(found)
  confirm()
  expect(situation()).toMatchObject({ value: 'editing', attempt: null })
  expect(situation().problems.map(({ field }) => field)).toEqual(fields)
  expect(reserve.asked).toEqual([])
})

test('an invoice confirmed an hour later is reserved as shown', async () => {
  const { reserve, send } = await startEditing()
  send({ type: 'form.confirm', attemptId: 'a1', at: now + HOUR, recent: [] })
  expect(reserve.asked).toEqual([{ uid: 'u1', attempt }])
})

test.each<[string, Partial<InvoiceDraft>, isTyped: boolean]>([
  ['nothing typed', {}, false],
  ['a supplier chosen', { supplier: 'edf' }, true],
  ['a reference typed', { reference: '6012' }, true],
])('the stored invoice form replaces only a form without input: %s', async (_, typed, isTyped) => {
  const here = { ...EMPTY_INVOICE_DRAFT, ...typed }
  const { send, situation } = await startEditing(here)
  send({ type: 'draft.restore', draft, draftId: null })
  expect(situation().draft).toEqual(isTyped ? here : draft)
})

test('changing a field of the invoice form clears its problem', async () => {
  const { confirm, send, situation } = await startEditing(EMPTY_INVOICE_DRAFT)
  confirm()
  send({ type: 'draft.change', patch: { reference: '6012' } })
  expect(situation().problems.map(({ field }) => field)).toEqual(['supplier'])
  send({ type: 'draft.change', patch: { type: 'water' } })
  expect(situation().problems).toEqual([])
})

test('a missing invoice is reported until a field changes', async () => {
  const { confirm, send, situation } = await startEditing({ ...draft, invoice: null })
  confirm()
  expect(situation().problems.map(({ field }) => field)).toEqual(['invoice'])
  send({ type: 'draft.change', patch: { reference: '6012' } })
  expect(situation().problems).toEqual([])
})

const refusals: [PartsRefusal<InvoiceParts>, isOver: boolean][] = [
  [{ kind: 'invoiceNotFound' }, true],
  [{ kind: 'invoiceAlreadyPaid' }, true],
  [{ kind: 'invoiceSeemsPaid' }, true],
  [{ kind: 'invoiceUnderWay' }, true],
  [{ kind: 'tooManyHolds', retryAfterSeconds: 3600 }, true],
  [{ kind: 'invoiceChanged' }, true],
  [{ kind: 'minimumPayment' }, true],
  [{ kind: 'maximumPayment' }, true],
  [{ kind: 'attemptEnded' }, true],
  [{ kind: 'attemptConflict' }, true],
  [{ kind: 'tooManyRequests', retryAfterSeconds: 60 }, false],
  [{ kind: 'paymentsPaused' }, false],
  [{ kind: 'tooManyDeclines', retryAfterSeconds: 3600 }, false],
  [{ kind: 'paymentsClosed' }, false],
  [{ kind: 'initFailed' }, false],
  [{ kind: 'sessionExpired' }, false],
]
test.each(refusals)(
  'the form shows the refusal $kind, a permanent one ends the attempt',
  async (problem, isOver) => {
    const { confirm, reserve, situation } = await startEditing()
    confirm()
    await reserve.answer(err(problem))
    expect(situation()).toMatchObject({ value: 'editing', draft, problem, attempt: isOver ? null : attempt })
    expect(isInvoiceAttemptOver(problem)).toBe(isOver)
    confirm('a2')
    expect(reserve.asked.map((input) => input.attempt.id)).toEqual(['a1', isOver ? 'a2' : 'a1'])
  },
)

test.each<[string, Partial<Invoice>]>([
  ['amount', { amount: money(9000, 'EUR') }],
  ['due date', { dueDate: '2026-12-30' }],
])('another %s of the invoice makes another attempt after releasing the former', async (_, change) => {
  const { confirm, reserve, send, situation } = await startEditing()
  confirm()
  await reserve.fail()
  send({ type: 'draft.change', patch: { invoice: { ...invoice, ...change } } })
  confirm('a2')
  expect(situation()).toMatchObject({
    value: 'releasingFormerAttempt',
    attempt: { id: 'a2' },
    formerAttemptId: 'a1',
  })
})

test('each attempt pays one invoice, and only the server gives receipts', async () => {
  const answers = [
    { outcome: 'paid', receipt },
    { outcome: 'unpaid', status: 'requires_payment_method' },
    { outcome: 'unpaid', status: 'canceled' },
    { outcome: 'unclear', status: 'requires_action' },
    { outcome: 'unclear', status: 'processing' },
    { outcome: 'refunded' },
    { outcome: 'disputed' },
  ]
  const { untaken } = await walk({
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
