import { expect, test } from 'vitest'
import { assign, fromPromise, setup } from 'xstate'
import { type WalkSettings, walk } from './walk.ts'

const quizMachine = setup({
  types: {
    context: {} as { left: number; answer: string | null },
    events: {} as { type: 'ask' } | { type: 'pass' },
  },
  actors: {
    think: fromPromise<string>(() => Promise.reject(new Error("The actor 'think' is not implemented"))),
  },
  actions: {
    remember: assign((_, answer: string) => ({ answer })),
    countDown: assign({ left: ({ context }) => context.left - 1 }),
  },
  guards: { isOver: ({ context }) => context.left === 1, isOverlong: ({ context }) => context.left > 60 },
}).createMachine({
  id: 'quiz',
  context: { left: 60, answer: null },
  initial: 'resting',
  states: {
    resting: { on: { ask: 'thinking' } },
    thinking: {
      invoke: {
        src: 'think',
        onDone: { target: 'over', actions: { type: 'remember', params: ({ event }) => event.output } },
        onError: 'resting',
      },
      on: { pass: 'over' },
      initial: 'counting',
      states: {
        counting: {
          after: {
            1000: [
              { guard: 'isOverlong', target: '#quiz.resting' },
              { guard: 'isOver', target: '#quiz.over', actions: 'countDown' },
              { target: 'counting', reenter: true, actions: 'countDown' },
            ],
          },
        },
      },
    },
    over: { type: 'final' },
  },
})

const quiz: WalkSettings<typeof quizMachine> = {
  machine: quizMachine,
  input: undefined,
  events: () => [{ type: 'ask' }, { type: 'pass' }],
  answers: { think: ['42'] },
  blur: ({ left, answer }) => ({ isCounting: left > 0, answer }),
  invariant: () => {},
}
const neverTrue = { eventType: 'xstate.after.1000.quiz.thinking.counting', guard: 'isOverlong' }

test('a walk takes every event and wait, and names untaken transitions', () => {
  const ends: string[] = []
  const { paths, untaken } = walk({
    ...quiz,
    invariant: ({ after: { value, context }, at }) =>
      ends.push(`${at}: ${JSON.stringify(value)} ${context.left} ${context.answer}`),
  })
  expect(ends.sort()).toEqual([
    'ask > ask: {"thinking":"counting"} 60 null',
    'ask > pass: "over" 60 null',
    'ask > walk.wait: "over" 0 null',
    'ask > xstate.done.actor.0.quiz.thinking: "over" 60 42',
    'ask > xstate.error.actor.0.quiz.thinking: "resting" 60 null',
    'ask: {"thinking":"counting"} 60 null',
    'pass: "resting" 60 null',
  ])
  expect(paths).toBe(ends.length)
  expect(untaken).toMatchObject([neverTrue])
})

test('a walk reports the transitions that lack an event or an answer', () => {
  const { untaken } = walk({ ...quiz, events: () => [{ type: 'ask' as const }], answers: {} })
  expect(untaken).toMatchObject([
    { eventType: 'pass', from: 'quiz.thinking', to: ['quiz.over'] },
    { eventType: 'xstate.done.actor.0.quiz.thinking' },
    neverTrue,
  ])
})

test('a walk fails if the invariant fails, and names the path', () => {
  const walkQuiz = () =>
    walk({ ...quiz, invariant: ({ after, at }) => expect(after.context.answer, at).toBe(null) })
  expect(walkQuiz).toThrow('ask > xstate.done.actor.0.quiz.thinking')
})

test('a walk fails if more than events determines the machine', () => {
  let calls = 0
  const machine = quizMachine.provide({ actions: { countDown: assign({ left: () => calls++ % 2 }) } })
  expect(() => walk({ ...quiz, machine })).toThrow('ask > walk.wait')
})
