import { afterEach, expect, test } from 'vitest'
import { createActor } from 'xstate'
import { HOUR } from '../domain/duration.ts'
import { EMPTY_INVOICE_DRAFT, type Invoice, type InvoiceDraft, invoicePaymentOf } from '../domain/invoice.ts'
import { money } from '../domain/money.ts'
import { err, ok } from '../domain/result.ts'
import type { CheckoutEvent, RefusalOf, ReserveAnswer } from './checkoutTypes.ts'
import { type InvoiceAttempt, type InvoiceParts, invoiceMachine, isInvoiceAttemptOver } from './invoice.ts'
import { fakeActor } from './testing/fakeActor.ts'
import { walk } from './testing/walk.ts'

const now = Date.UTC(2026, 10, 20, 12)
const profile = { uid: 'u1' }
const invoice: Invoice = {
  supplier: 'edf',
  reference: '6012-1001',
  type: 'electricity',
  amount: money(8450, 'EUR'),
  dueDate: '2026-11-30',
  status: 'due',
}
const other: Invoice = { ...invoice, reference: '6012-1002', amount: money(1200, 'EUR') }
const draftOf = (found: Invoice): InvoiceDraft => ({
  type: found.type,
  supplier: found.supplier,
  reference: found.reference,
  invoice: found,
})
const draft = draftOf(invoice)
const attempt: InvoiceAttempt = { id: 'a1', draft, order: invoice, again: null }
const receipt = invoicePaymentOf(invoice, { id: 'pi_1', payerId: 'u1', createdAt: now, settledAt: now })
const reserved = (status = 'requires_payment_method') =>
  ok({ clientSecret: 'pi_1_secret', paymentIntentId: 'pi_1', customerSession: null, status })

let stop = () => {}
afterEach(() => stop())

/** In the form, with what was found in it. */
async function editing(found = draft) {
  const findOpenAttempt = fakeActor<InvoiceAttempt | null, { uid: string }>()
  const reserve = fakeActor<ReserveAnswer<InvoiceParts>, { uid: string; attempt: InvoiceAttempt }>()
  const actor = createActor(
    invoiceMachine.provide({ actors: { findOpenAttempt: findOpenAttempt.logic, reserve: reserve.logic } }),
    { input: { profile, isOnline: true, at: now, draft: found } },
  ).start()
  stop = () => actor.stop()
  await findOpenAttempt.answer(null)
  return {
    send: actor.send,
    reserve,
    confirm: (attemptId = 'a1') => actor.send({ type: 'form.confirm', attemptId, at: now, recent: [] }),
    situation: () => {
      const { value, context } = actor.getSnapshot()
      return { value, ...context }
    },
  }
}

test('an invoice in sight is reserved for the attempt, as it was seen', async () => {
  const { confirm, reserve, situation } = await editing()
  confirm()
  expect(reserve.asked).toEqual([{ uid: 'u1', attempt }])
  await reserve.answer(reserved())
  expect(situation()).toMatchObject({ value: 'awaitingCard', attempt })
})

test.each<[string, InvoiceDraft, string[]]>([
  ['an empty form', EMPTY_INVOICE_DRAFT, ['supplier', 'reference']],
  ['an invoice that was not looked up', { ...draft, invoice: null }, ['invoice']],
  ['a paid one', draftOf({ ...invoice, status: 'paid' }), ['invoice']],
  ['one that seems to be paid', draftOf({ ...invoice, status: 'seemsPaid' }), ['invoice']],
  ['one that somebody is paying', draftOf({ ...invoice, status: 'processing' }), ['invoice']],
])('%s is not paid', async (_, found, fields) => {
  const { confirm, reserve, situation } = await editing(found)
  confirm()
  expect(situation()).toMatchObject({ value: 'editing', attempt: null })
  expect(situation().problems.map(({ field }) => field)).toEqual(fields)
  expect(reserve.asked).toEqual([])
})

test('an invoice that has been in sight for a while is paid as it stands there', async () => {
  const { reserve, send } = await editing()
  send({ type: 'form.confirm', attemptId: 'a1', at: now + HOUR, recent: [] })
  expect(reserve.asked).toEqual([{ uid: 'u1', attempt }])
})

test.each<[string, Partial<InvoiceDraft>, isTyped: boolean]>([
  ['nothing typed', {}, false],
  ['a supplier chosen', { supplier: 'edf' }, true],
  ['a reference typed', { reference: '6012' }, true],
])('with %s, the form that the device kept comes back or stays away', async (_, typed, isTyped) => {
  const here = { ...EMPTY_INVOICE_DRAFT, ...typed }
  const { send, situation } = await editing(here)
  send({ type: 'draft.restore', draft })
  expect(situation().draft).toEqual(isTyped ? here : draft)
})

test('each problem goes with what it was about', async () => {
  const { confirm, send, situation } = await editing(EMPTY_INVOICE_DRAFT)
  confirm()
  send({ type: 'draft.change', patch: { reference: '6012' } })
  expect(situation().problems.map(({ field }) => field)).toEqual(['supplier'])
  send({ type: 'draft.change', patch: { type: 'water' } })
  expect(situation().problems).toEqual([])
})

test('that an invoice was not looked up is said until anything of it is changed', async () => {
  const { confirm, send, situation } = await editing({ ...draft, invoice: null })
  confirm()
  expect(situation().problems.map(({ field }) => field)).toEqual(['invoice'])
  send({ type: 'draft.change', patch: { reference: '6012' } })
  expect(situation().problems).toEqual([])
})

const refusals: [RefusalOf<InvoiceParts>, isOver: boolean][] = [
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
test.each(refusals)('refused: $kind', async (problem, isOver) => {
  const { confirm, reserve, situation } = await editing()
  confirm()
  await reserve.answer(err(problem))
  expect(situation()).toMatchObject({ value: 'editing', draft, problem, attempt: isOver ? null : attempt })
  expect(isInvoiceAttemptOver(problem)).toBe(isOver)
  confirm('a2')
  expect(reserve.asked.map((input) => input.attempt.id)).toEqual(['a1', isOver ? 'a2' : 'a1'])
})

test.each<[string, Partial<Invoice>]>([
  ['amount', { amount: money(9000, 'EUR') }],
  ['due date', { dueDate: '2026-12-30' }],
])(
  'another %s of the same invoice is another attempt, once the former one is given up',
  async (_, change) => {
    const { confirm, reserve, send, situation } = await editing()
    confirm()
    await reserve.fail()
    send({ type: 'draft.change', patch: { invoice: { ...invoice, ...change } } })
    confirm('a2')
    expect(situation()).toMatchObject({
      value: 'releasingFormerAttempt',
      attempt: { id: 'a2' },
      formerAttemptId: 'a1',
    })
  },
)

test('on every path each attempt is one invoice, and only the server makes a receipt', async () => {
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
        ...[draft, draftOf(other), EMPTY_INVOICE_DRAFT].map((patch) => ({
          type: 'draft.change' as const,
          patch,
        })),
        { type: 'draft.restore', draft: draftOf(other) },
        { type: 'draft.clear' },
        { type: 'form.confirm', attemptId: `for ${reference}`, at: now, recent: [] },
        { type: 'payment.submit' },
        { type: 'payment.close' },
        { type: 'outcome.ask' },
        { type: 'outcome.leave' },
        { type: 'receipt.close' },
        { type: 'problem.dismiss' },
        { type: 'profile.changed', profile },
        { type: 'time.passed', at: now },
        { type: 'network.lost' },
        { type: 'network.back' },
      ]
      return events.filter((event) => snapshot.can(event))
    },
    answers: {
      findOpenAttempt: [null, attempt],
      reserve: [
        reserved(),
        reserved('processing'),
        reserved('succeeded'),
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
      for (const { src, input } of asked as { src: string; input: { attempt: InvoiceAttempt } }[]) {
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
