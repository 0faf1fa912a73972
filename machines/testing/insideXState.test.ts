import { expect, test } from 'vitest'
import { createActor, fromPromise, initialTransition, setup, transition } from 'xstate'
import { doneEvent, errorEvent, ownEvent, timerChange, transitionsIn } from './insideXState.ts'

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

const MEND = 'XState does it otherwise now: see in its source how, for machines/testing/insideXState.ts'

test('an answer and a failure of an actor', () => {
  const after = (event: { type: string }) => transition(machine, snapshot, event as never)[0].value
  expect(after(doneEvent(actorId, 'yes')), MEND).toBe('answered')
  expect(after(errorEvent(actorId, new Error('no'))), MEND).toBe('failed')
})

test('a timer that is set, and one that is canceled', () => {
  const [timer] = actions.flatMap((action) => timerChange(action) ?? [])
  expect(timer, MEND).toMatchObject({ kind: 'set', id: expect.any(String), delay: 1000 })
  const [, leaving] = transition(machine, snapshot, { type: 'leave' } as never)
  expect(
    leaving.flatMap((action) => timerChange(action) ?? []),
    MEND,
  ).toEqual([{ kind: 'cancel', id: timer?.id }])
  if (timer?.kind !== 'set') throw new Error(MEND)
  expect(transition(machine, snapshot, timer.event as never)[0].value, MEND).toBe('late')
})

test('the transitions that were taken', () => {
  const taken: unknown[] = []
  const actor = createActor(machine, {
    inspect: (happened) => taken.push(...transitionsIn(happened).map(({ eventType }) => eventType)),
  }).start()
  actor.send({ type: 'leave' } as never)
  actor.stop()
  expect(taken, MEND).toContain('leave')
})

test('what an event is about', () => {
  const { asking } = machine.root.states
  const events = [...(asking?.transitions.keys() ?? [])]
  expect(
    events.flatMap((type) => ownEvent(type) ?? []),
    MEND,
  ).toEqual([
    { about: 'done.actor', id: actorId },
    { about: 'error.actor', id: actorId },
    { about: 'after', id: 'patience.lamp.asking' },
  ])
  expect(ownEvent('leave')).toBeUndefined()
})
