import { afterEach, expect, test } from 'vitest'
import { HOUR } from '../domain/common/duration.ts'
import { err } from '../domain/common/result.ts'
import { EMPTY_INVOICE_DRAFT, type Invoice, type InvoiceDraft } from '../domain/invoices/invoice.ts'
import { money } from '../domain/money/money.ts'
import type { PartsRefusal } from './checkoutTypes.ts'
import { type InvoiceParts, isInvoiceAttemptOver } from './invoice.ts'
import {
  attempt,
  buildDraft,
  buildReserveAnswer,
  draft,
  invoice,
  now,
  startEditing,
  stopTestActor,
} from './testing/invoiceSituations.ts'

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
