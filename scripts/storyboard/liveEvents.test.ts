import { expect, test } from 'vitest'
import type { Message, Running, Told } from '../../src/inspection/tell.ts'
import { heard, NOTHING_HEARD } from './liveEvents.ts'

const step = (tab: string, number: number, more: Partial<Told> = {}): Told => ({
  ...{ tab, machine: 'lamp', actor: 1, step: number, event: 'press', value: number % 2 ? 'off' : 'on' },
  ...more,
})
const running = (tab: string, at: number, more: Partial<Told> = {}): Running => ({
  ...step(tab, at, more),
  ...{ at, context: null },
})
const moved = (...given: Parameters<typeof running>): Message => ({ kind: 'running', ...running(...given) })
const after = (...messages: Message[]) => messages.reduce(heard, NOTHING_HEARD)

/** By tab, the machine and the number of each step. */
const stepsIn = ({ steps }: ReturnType<typeof after>) =>
  [...steps].map(([tab, all]) => [tab, ...all.map((one) => `${one.machine} ${one.step}`)].join(', '))

test('what moved last stands last, whichever tab was heard of first', () => {
  const both = [moved('a', 1), moved('b', 2)]
  expect(after(...both).running).toEqual([running('a', 1), running('b', 2)])
  expect(after(...both, moved('a', 3)).running).toEqual([running('b', 2), running('a', 3)])
  // Within one millisecond.
  expect(after(...both, { ...moved('a', 2), step: 5 } as Message).running.map(({ tab }) => tab)).toEqual([
    'b',
    'a',
  ])
})

test('tabs that are asked may answer in any order', () => {
  const here = (tab: string, at: number): Message => ({
    ...{ kind: 'here', tab, running: [running(tab, at)], steps: [step(tab, at)] },
  })
  const answered = after(moved('a', 1), here('b', 7), here('a', 5))
  expect(answered.running).toEqual([running('a', 5), running('b', 7)])
  expect(stepsIn(answered)).toEqual(['a, lamp 5', 'b, lamp 7'])
})

test('an answer takes the place of what its tab told before, and nothing stands there twice', () => {
  const here: Message = {
    ...{ kind: 'here', tab: 'a', running: [running('a', 2)] },
    steps: [step('a', 1), step('a', 2)],
  }
  const once = after(moved('a', 2), moved('a', 2, { actor: 2 }), here)
  expect(once.running).toEqual([running('a', 2)])
  expect(stepsIn(once)).toEqual(['a, lamp 1, lamp 2'])
  expect(after(here, here, moved('a', 3), here)).toEqual(once)
  expect(stepsIn(after(here, moved('a', 3)))).toEqual(['a, lamp 1, lamp 2, lamp 3'])
})

test('of each machine in each tab there are the last twenty steps, without what it knew', () => {
  const numbers = Array.from({ length: 25 }, (_, place) => place + 1)
  const all = after(
    moved('b', 1),
    moved('a', 1, { machine: 'bell', actor: 2 }),
    ...numbers.map((number) => moved('a', number)),
  )
  expect(stepsIn(all)).toEqual([
    'b, lamp 1',
    ['a', 'bell 1', ...numbers.slice(5).map((number) => `lamp ${number}`)].join(', '),
  ])
  expect(all.steps.get('a')?.at(-1)).toEqual(step('a', 25))
})

test('with the end of a machine comes its last step', () => {
  const last = step('a', 2, { value: 'broken', failed: true })
  const ended = after(moved('a', 1), moved('a', 1, { actor: 2 }), moved('b', 1), { kind: 'ended', ...last })
  expect(ended.running).toEqual([running('a', 1, { actor: 2 }), running('b', 1)])
  expect(ended.steps.get('a')).toEqual([step('a', 1), step('a', 1, { actor: 2 }), last])
})

test('of a tab that is left nothing runs, and its steps stay', () => {
  const left = after(moved('a', 1), moved('b', 2), { kind: 'ended', tab: 'a', actor: null })
  expect(left.running).toEqual([running('b', 2)])
  expect(stepsIn(left)).toEqual(['a, lamp 1', 'b, lamp 2'])
})

test('questions and reports change nothing', () => {
  const before = after(moved('a', 1))
  const reports: Message[] = [
    { kind: 'ask' },
    { kind: 'askReport', id: 'x' },
    { kind: 'report', id: 'x', steps: [step('b', 1)] },
  ]
  expect(reports.reduce(heard, before)).toBe(before)
})
