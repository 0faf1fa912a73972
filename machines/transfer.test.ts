import { afterEach, describe, expect, test } from 'vitest'
import { type DirectedGraphEdge, type DirectedGraphNode, toDirectedGraph } from 'xstate/graph'
import { EMPTY_TRANSFER_DRAFT } from '../domain/transfers/transfer.ts'
import { flushQueue } from './testing/fakeActor.ts'
import {
  arrange,
  attempt,
  attemptInput,
  buildReserveAnswer,
  chargedAnswer,
  createTestActor,
  draft,
  emptiedDraft,
  initialContext,
  now,
  paidAnswer,
  payment,
  receiptSituation,
  type StartedActor,
  statusUnclearProblem,
  stopTestActor,
  type TransferCheckoutEvent,
} from './testing/transferSituations.ts'
import { transferMachine } from './transfer.ts'

afterEach(stopTestActor)

test('a user pays a transfer from the form to the receipt @spec-transfer-flow', async () => {
  const { actor, confirm, confirmCard, findOpenAttempt, record, reserve, send, situation } = createTestActor()
  expect(situation()).toEqual({ ...initialContext, value: 'resuming', isSearched: false })
  expect(findOpenAttempt.asked).toEqual([{ uid: 'u1' }])

  await findOpenAttempt.answer(null)
  expect(situation()).toEqual({ ...initialContext, value: 'editing' })

  confirm()
  expect(situation()).toEqual({ ...initialContext, value: 'reserving', attempt })
  expect(reserve.asked).toEqual([{ uid: 'u1', attempt }])

  await reserve.answer(buildReserveAnswer())
  expect(situation()).toEqual({ ...initialContext, value: 'awaitingCard', attempt, payment })

  send({ type: 'payment.submit' })
  expect(situation()).toEqual({ ...initialContext, value: { confirmingCard: 'expected' }, attempt, payment })
  expect(confirmCard.asked).toEqual([{ clientSecret: 'pi_1_secret' }])

  await confirmCard.answer(chargedAnswer)
  expect(situation()).toEqual({ ...initialContext, value: 'recording', attempt, payment })
  expect(record.asked).toEqual([attemptInput])

  await record.answer(paidAnswer)
  expect(situation()).toEqual(receiptSituation)

  send({ type: 'receipt.close' })
  expect(situation()).toEqual({
    ...initialContext,
    value: 'editing',
    draft: emptiedDraft,
    chargedDraft: draft,
  })
  expect(actor.getSnapshot().status).toBe('active')
})

test('the transfer form keeps currency and country after a receipt', async () => {
  const fromCanada = {
    ...draft,
    currency: 'CAD',
    country: 'FR',
    phone: '+33612345678',
    receivingMethod: 'wero',
  } as const
  const started = createTestActor({}, { draft: fromCanada })
  await started.findOpenAttempt.answer({ ...attempt, draft: fromCanada })
  await started.record.answer(paidAnswer)
  expect(started.situation().draft).toEqual({
    ...EMPTY_TRANSFER_DRAFT,
    currency: 'CAD',
    country: 'FR',
    receivingMethod: 'paylib',
  })
})

test('the transfer machine accepts exactly the expected events in every state', async () => {
  const events: TransferCheckoutEvent[] = [
    { type: 'draft.change', patch: { amount: '5' } },
    { type: 'form.confirm', attemptId: 'a9', at: now, recent: [] },
    { type: 'duplicate.confirm', attemptId: 'a9', at: now },
    { type: 'duplicate.cancel' },
    { type: 'payment.submit' },
    { type: 'payment.close' },
    { type: 'outcome.check' },
    { type: 'outcome.leave' },
    { type: 'receipt.close' },
    { type: 'problem.dismiss' },
  ]
  const found: Record<string, { accepts: string[]; tags: string[] }> = {}
  for (const [state, start] of Object.entries(arrange)) {
    const snapshot = (await start()).actor.getSnapshot()
    const accepts = events.filter((event) => snapshot.can(event)).map(({ type }) => type)
    found[state] = { accepts, tags: [...snapshot.tags].sort() }
    stopTestActor()
  }
  const editing = { accepts: ['draft.change', 'form.confirm', 'problem.dismiss'], tags: ['open'] }
  const busy = { accepts: [], tags: ['busy', 'paying'] }
  const resuming = { accepts: ['draft.change'], tags: ['busy', 'open'] }
  expect(found).toEqual({
    resuming,
    lookingUp: resuming,
    lookedUpInVain: { accepts: ['draft.change', 'outcome.check'], tags: ['open'] },
    editing,
    confirmingDuplicate: { accepts: ['duplicate.confirm', 'duplicate.cancel'], tags: [] },
    declined: editing,
    reserving: busy,
    awaitingCard: { accepts: ['payment.submit', 'payment.close'], tags: ['paying'] },
    releasing: { accepts: ['draft.change'], tags: ['busy', 'open', 'paying'] },
    confirmingCard: busy,
    overdue: { accepts: ['outcome.check'], tags: ['busy', 'paying'] },
    releasingFormerAttempt: busy,
    recording: busy,
    waiting: { accepts: ['outcome.check', 'outcome.leave'], tags: ['paying'] },
    asking: { accepts: ['outcome.leave'], tags: ['busy', 'paying'] },
    receipt: { accepts: ['receipt.close'], tags: [] },
  })
})

test('only the server’s confirmation leads a transfer to its receipt', () => {
  const listEdges = ({ edges, children }: DirectedGraphNode): DirectedGraphEdge[] => [
    ...edges,
    ...children.flatMap(listEdges),
  ]
  const toReceipt = listEdges(toDirectedGraph(transferMachine)).filter(
    ({ source, target }) => target.key === 'receipt' && source !== target,
  )
  expect(toReceipt.map(({ source, transition: { guard } }) => [source.key, guard])).toEqual(
    ['releasingFormerAttempt', 'releasing', 'recording', 'asking'].map((state) => [
      state,
      { type: 'isPaid', params: expect.any(Function) },
    ]),
  )
})

describe('an actor that was not provided', () => {
  const { actors } = transferMachine.implementations

  test.each<[keyof typeof actors, (started: StartedActor) => Promise<void>, object]>([
    [
      'findOpenAttempt',
      async () => {},
      {
        ...initialContext,
        value: { lookingUp: 'asking' },
        isSearched: false,
      },
    ],
    [
      'findLatestAttempt',
      (started) => started.findOpenAttempt.fail(),
      {
        ...initialContext,
        value: { lookingUp: 'waiting' },
        isSearched: false,
        problem: { kind: 'lookingUp' },
        unclearAnswers: 1,
      },
    ],
    [
      'reserve',
      async (started) => {
        await started.findOpenAttempt.answer(null)
        started.confirm()
      },
      { ...initialContext, value: 'editing', attempt, problem: { kind: 'initFailed' } },
    ],
    [
      'confirmCard',
      async (started) => {
        await started.findOpenAttempt.answer(null)
        started.confirm()
        await started.reserve.answer(buildReserveAnswer())
        started.send({ type: 'payment.submit' })
      },
      { ...initialContext, value: { checkingOutcome: 'asking' }, attempt, problem: statusUnclearProblem },
    ],
    [
      'record',
      (started) => started.findOpenAttempt.answer(attempt),
      { ...initialContext, value: { checkingOutcome: 'waiting' }, attempt, problem: statusUnclearProblem },
    ],
    [
      'release',
      async (started) => {
        await started.findOpenAttempt.answer(null)
        started.confirm()
        await started.reserve.answer(buildReserveAnswer())
        started.send({ type: 'payment.close' })
      },
      { ...initialContext, value: 'editing', attempt },
    ],
  ])('a transfer never succeeds through its missing actor %s', async (name, happen, situation) => {
    const started = createTestActor({ [name]: actors[name] })
    await happen(started)
    await flushQueue()
    expect(started.situation()).toEqual(situation)
  })
})
