import { createActor, SimulatedClock } from 'xstate'
import { ok } from '../../domain/common/result.ts'
import { buildInvoicePayment, type Invoice, type InvoiceDraft } from '../../domain/invoices/invoice.ts'
import { money } from '../../domain/money/money.ts'
import type {
  RecordAnswer as AnyRecordAnswer,
  ReleaseAnswer as AnyReleaseAnswer,
  AttemptInput,
  CardAnswer,
  CheckoutAttempt,
  ReserveAnswer,
  SearchInput,
} from '../checkoutTypes.ts'
import { type InvoiceParts, invoiceMachine } from '../invoice.ts'
import { createFakeActor } from './fakeActor.ts'
import { recordTransition } from './lastTransition.ts'

type Attempt = CheckoutAttempt<InvoiceParts>
type RecordAnswer = AnyRecordAnswer<InvoiceParts>

export const now = Date.UTC(2026, 10, 20, 12)
export const profile = { uid: 'u1' }
export const invoice: Invoice = {
  supplier: 'edf',
  reference: '6012-1001',
  type: 'electricity',
  amount: money(8450, 'EUR'),
  dueDate: '2026-11-30',
  status: 'due',
}
export const otherInvoice: Invoice = { ...invoice, reference: '6012-1002', amount: money(1200, 'EUR') }
export const buildDraft = (found: Invoice): InvoiceDraft => ({
  type: found.type,
  supplier: found.supplier,
  reference: found.reference,
  invoice: found,
})
export const draft = buildDraft(invoice)
export const attempt: Attempt = { id: 'a1', draft, order: invoice, again: null }
export const receipt = buildInvoicePayment(invoice, {
  id: 'pi_1',
  payerId: 'u1',
  payerName: 'Awa Ba',
  createdAt: now,
  settledAt: now,
})
export const buildReserveAnswer = (status = 'requires_payment_method') =>
  ok({ clientSecret: 'pi_1_secret', paymentIntentId: 'pi_1', customerSession: null, status })

let stopLast = () => {}

export const stopTestActor = () => stopLast()

function start(found = draft) {
  const clock = new SimulatedClock()
  const findOpenAttempt = createFakeActor<Attempt | null, { uid: string }>()
  const findLatestAttempt = createFakeActor<Attempt | null, SearchInput>()
  const reserve = createFakeActor<ReserveAnswer<InvoiceParts>, { uid: string; attempt: Attempt }>()
  const confirmCard = createFakeActor<CardAnswer, { clientSecret: string }>()
  const record = createFakeActor<RecordAnswer, AttemptInput>()
  const release = createFakeActor<AnyReleaseAnswer<InvoiceParts>, AttemptInput>()
  const actor = createActor(
    invoiceMachine.provide({
      actors: {
        findOpenAttempt: findOpenAttempt.logic,
        findLatestAttempt: findLatestAttempt.logic,
        reserve: reserve.logic,
        confirmCard: confirmCard.logic,
        record: record.logic,
        release: release.logic,
      },
    }),
    { clock, input: { profile, isOnline: true, at: now, draft: found }, inspect: recordTransition },
  ).start()
  stopLast = () => actor.stop()
  return {
    actor,
    clock,
    send: actor.send,
    findOpenAttempt,
    findLatestAttempt,
    reserve,
    confirmCard,
    record,
    confirm: (attemptId = 'a1') => actor.send({ type: 'form.confirm', attemptId, at: now, recent: [] }),
    situation: () => {
      const { value, context } = actor.getSnapshot()
      return { value, ...context }
    },
  }
}

export async function startEditing(found = draft) {
  const started = start(found)
  await started.findOpenAttempt.answer(null)
  return started
}

export const arrange = {
  async lookingUp() {
    const started = start()
    await started.findOpenAttempt.fail()
    started.clock.increment(1_000)
    return started
  },
  async lookedUpInVain() {
    const started = await arrange.lookingUp()
    await started.findLatestAttempt.fail()
    return started
  },
  editing: () => startEditing(),
  async reserving() {
    const started = await startEditing()
    started.confirm()
    return started
  },
  async awaitingCard() {
    const started = await arrange.reserving()
    await started.reserve.answer(buildReserveAnswer())
    return started
  },
  async releasing() {
    const started = await arrange.awaitingCard()
    started.send({ type: 'payment.close' })
    return started
  },
  async confirmingCard() {
    const started = await arrange.awaitingCard()
    started.send({ type: 'payment.submit' })
    return started
  },
  async overdue() {
    const started = await arrange.confirmingCard()
    started.clock.increment(45_000)
    return started
  },
  /** The attempt is still open. */
  async declined() {
    const started = await arrange.confirmingCard()
    await started.confirmCard.answer({
      kind: 'declined',
      reason: 'insufficient_funds',
      message: 'Not enough',
    })
    return started
  },
  async releasingFormerAttempt() {
    const started = await arrange.declined()
    started.send({ type: 'draft.change', patch: buildDraft(otherInvoice) })
    started.confirm('a2')
    return started
  },
  async recording() {
    const started = await arrange.confirmingCard()
    await started.confirmCard.answer({ kind: 'answered', status: 'succeeded' })
    return started
  },
  async waiting() {
    const started = await arrange.recording()
    await started.record.answer({ outcome: 'unclear', status: 'processing' })
    return started
  },
  async asking() {
    const started = await arrange.waiting()
    started.send({ type: 'outcome.check' })
    return started
  },
  async receipt() {
    const started = await arrange.recording()
    await started.record.answer({ outcome: 'paid', receipt })
    return started
  },
}
