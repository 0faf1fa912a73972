import { expect, test } from 'vitest'
import { createActor, fromPromise, initialTransition, setup, transition } from 'xstate'
import {
  buildDoneEvent,
  buildErrorEvent,
  createPureMachine,
  getTakenTransitions,
  parseSpawn,
  parseTimerChange,
  parseXStateEvent,
} from './xstateInternals.ts'

const machine = setup({
  actors: { ask: fromPromise<string>(() => new Promise(() => {})) },
  delays: { patience: 1000 },
}).createMachine({
  id: 'lamp',
  initial: 'asking',
  states: {
    asking: {
      invoke: { src: 'ask', onDone: 'answered', onError: 'failed' },
      after: { patience: 'late' },
      on: { leave: 'left' },
    },
    answered: {},
    failed: {},
    late: {},
    left: {},
  },
})
const [snapshot, actions] = initialTransition(machine)
const [actorId = ''] = Object.keys(snapshot.children)

const MEND = 'XState does it otherwise now: see in its source how, for machines/testing/xstateInternals.ts'

test('XState accepts the built events of an actor’s answer and failure', () => {
  const after = (event: { type: string }) => transition(machine, snapshot, event as never)[0].value
  expect(after(buildDoneEvent(actorId, 'yes')), MEND).toBe('answered')
  expect(after(buildErrorEvent(actorId, new Error('no'))), MEND).toBe('failed')
})

test('parses the actions with which XState sets and cancels timers', () => {
  const [timer] = actions.flatMap((action) => parseTimerChange(action) ?? [])
  expect(timer, MEND).toMatchObject({ kind: 'set', id: expect.any(String), delay: 1000 })
  const [, leaving] = transition(machine, snapshot, { type: 'leave' } as never)
  expect(
    leaving.flatMap((action) => parseTimerChange(action) ?? []),
    MEND,
  ).toEqual([{ kind: 'cancel', id: timer?.id }])
  if (timer?.kind !== 'set') throw new Error(MEND)
  expect(transition(machine, snapshot, timer.event as never)[0].value, MEND).toBe('late')
})

test('the pure machine tells snapshot, spawned actor and taken transitions', () => {
  const taken: string[] = []
  const pure = createPureMachine(machine, undefined, ({ eventType }) => taken.push(eventType))
  const [asking, started] = pure.start()
  expect(
    started.flatMap((action) => parseSpawn(action) ?? []),
    MEND,
  ).toEqual([{ src: 'ask', input: undefined }])
  const [left] = pure.send(asking, { type: 'leave' })
  expect([left.value, taken], MEND).toEqual(['left', ['leave']])
})

test('finds the taken transitions in XState’s inspection events', () => {
  const taken: unknown[] = []
  const actor = createActor(machine, {
    inspect: (happened) => taken.push(...getTakenTransitions(happened).map(({ eventType }) => eventType)),
  }).start()
  actor.send({ type: 'leave' } as never)
  actor.stop()
  expect(taken, MEND).toContain('leave')
})

test('parses the kind and ID of XState’s own events', () => {
  const { asking } = machine.root.states
  const events = [...(asking?.transitions.keys() ?? [])]
  expect(
    events.flatMap((type) => parseXStateEvent(type) ?? []),
    MEND,
  ).toEqual([
    { about: 'done.actor', id: actorId },
    { about: 'error.actor', id: actorId },
    { about: 'after', id: 'patience.lamp.asking' },
  ])
  expect(parseXStateEvent('leave')).toBeUndefined()
})
