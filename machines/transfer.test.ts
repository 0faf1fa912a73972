import { afterEach, describe, expect, test } from 'vitest'
import { type DirectedGraphEdge, type DirectedGraphNode, toDirectedGraph } from 'xstate/graph'
import { EMPTY_DRAFT } from '../domain/transfer.ts'
import { settle } from './testing/fakeActor.ts'
import {
  attempt,
  attemptInput,
  type CheckoutEvent,
  charged,
  createTestActor,
  draft,
  emptied,
  idle,
  now,
  paid,
  payment,
  reach,
  receiptSituation,
  reserved,
  type Started,
  statusUnclear,
  stop,
} from './testing/transferSituations.ts'
import { transferMachine } from './transfer.ts'

afterEach(stop)

test('a transfer from the form to the receipt @spec-transfer-flow', async () => {
  const { actor, confirm, confirmCard, findOpenAttempt, record, reserve, send, situation } = createTestActor()
  expect(situation()).toEqual({ ...idle, value: 'resuming' })
  expect(findOpenAttempt.asked).toEqual([{ uid: 'u1' }])

  await findOpenAttempt.answer(null)
  expect(situation()).toEqual({ ...idle, value: 'editing' })

  confirm()
  expect(situation()).toEqual({ ...idle, value: 'reserving', attempt })
  expect(reserve.asked).toEqual([{ uid: 'u1', attempt }])

  await reserve.answer(reserved())
  expect(situation()).toEqual({ ...idle, value: 'awaitingCard', attempt, payment })

  send({ type: 'payment.submit' })
  expect(situation()).toEqual({ ...idle, value: { confirmingCard: 'expected' }, attempt, payment })
  expect(confirmCard.asked).toEqual([{ clientSecret: 'pi_1_secret' }])

  await confirmCard.answer(charged)
  expect(situation()).toEqual({ ...idle, value: 'recording', attempt, payment })
  expect(record.asked).toEqual([attemptInput])

  await record.answer(paid)
  expect(situation()).toEqual(receiptSituation)

  send({ type: 'receipt.close' })
  expect(situation()).toEqual({ ...idle, value: 'editing', draft: emptied })
  expect(actor.getSnapshot().status).toBe('active')
})

test('the form after a receipt keeps currency and country', async () => {
  const fromCanada = {
    ...draft,
    currency: 'CAD',
    country: 'FR',
    phone: '+33612345678',
    receivingMethod: 'wero',
  } as const
  const started = createTestActor({}, { draft: fromCanada })
  await started.findOpenAttempt.answer({ ...attempt, draft: fromCanada })
  await started.record.answer(paid)
  expect(started.situation().draft).toEqual({
    ...EMPTY_DRAFT,
    currency: 'CAD',
    country: 'FR',
    receivingMethod: 'paylib',
  })
})

test('every state accepts its own events and ignores the others, and tells when it is busy or paying', async () => {
  const events: CheckoutEvent[] = [
    { type: 'draft.change', patch: { amount: '5' } },
    { type: 'form.confirm', attemptId: 'a9', at: now, recent: [] },
    { type: 'again.confirm', attemptId: 'a9', at: now },
    { type: 'again.leave' },
    { type: 'payment.submit' },
    { type: 'payment.close' },
    { type: 'outcome.ask' },
    { type: 'outcome.leave' },
    { type: 'receipt.close' },
    { type: 'problem.dismiss' },
  ]
  const found: Record<string, { accepts: string[]; tags: string[] }> = {}
  for (const [state, start] of Object.entries(reach)) {
    const snapshot = (await start()).actor.getSnapshot()
    const accepts = events.filter((event) => snapshot.can(event)).map(({ type }) => type)
    found[state] = { accepts, tags: [...snapshot.tags].sort() }
    stop()
  }
  const editing = { accepts: ['draft.change', 'form.confirm', 'problem.dismiss'], tags: ['open'] }
  const busy = { accepts: [], tags: ['busy', 'paying'] }
  expect(found).toEqual({
    resuming: { accepts: ['draft.change'], tags: ['busy', 'open'] },
    editing,
    askingWhetherAgain: { accepts: ['again.confirm', 'again.leave'], tags: [] },
    declined: editing,
    reserving: busy,
    awaitingCard: { accepts: ['payment.submit', 'payment.close'], tags: ['paying'] },
    releasing: { accepts: ['draft.change'], tags: ['busy', 'open', 'paying'] },
    confirmingCard: busy,
    overdue: { accepts: ['outcome.ask'], tags: ['busy', 'paying'] },
    releasingFormerAttempt: busy,
    recording: busy,
    waiting: { accepts: ['outcome.ask', 'outcome.leave'], tags: ['paying'] },
    asking: { accepts: ['outcome.leave'], tags: ['busy', 'paying'] },
    receipt: { accepts: ['receipt.close'], tags: [] },
  })
})

test('every way to the receipt is the server’s word that the payment succeeded', () => {
  const edgesOf = ({ edges, children }: DirectedGraphNode): DirectedGraphEdge[] => [
    ...edges,
    ...children.flatMap(edgesOf),
  ]
  const toReceipt = edgesOf(toDirectedGraph(transferMachine)).filter(
    ({ source, target }) => target.key === 'receipt' && source !== target,
  )
  expect(toReceipt.map(({ source, transition: { guard } }) => [source.key, guard])).toEqual(
    ['releasingFormerAttempt', 'releasing', 'recording', 'asking'].map((state) => [
      state,
      { type: 'isPaid', params: expect.any(Function) },
    ]),
  )
})

describe('an actor that nobody provided', () => {
  const { actors } = transferMachine.implementations

  test.each<[keyof typeof actors, (started: Started) => Promise<void>, object]>([
    ['findOpenAttempt', async () => {}, { ...idle, value: 'editing' }],
    [
      'reserve',
      async (started) => {
        await started.findOpenAttempt.answer(null)
        started.confirm()
      },
      { ...idle, value: 'editing', attempt, problem: { kind: 'initFailed' } },
    ],
    [
      'confirmCard',
      async (started) => {
        await started.findOpenAttempt.answer(null)
        started.confirm()
        await started.reserve.answer(reserved())
        started.send({ type: 'payment.submit' })
      },
      { ...idle, value: { checkingOutcome: 'asking' }, attempt, problem: statusUnclear },
    ],
    [
      'record',
      (started) => started.findOpenAttempt.answer(attempt),
      { ...idle, value: { checkingOutcome: 'waiting' }, attempt, problem: statusUnclear },
    ],
    [
      'release',
      async (started) => {
        await started.findOpenAttempt.answer(null)
        started.confirm()
        await started.reserve.answer(reserved())
        started.send({ type: 'payment.close' })
      },
      { ...idle, value: 'editing', attempt },
    ],
  ])('%s: no success', async (name, happen, situation) => {
    const started = createTestActor({ [name]: actors[name] })
    await happen(started)
    await settle()
    expect(started.situation()).toEqual(situation)
  })
})
