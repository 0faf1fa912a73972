import { expect, test } from 'vitest'
import type {
  InspectionMessage,
  InspectionStep,
  RunningMachine,
} from '../../src/inspection/broadcastSteps.ts'
import { applyMessage, EMPTY_LIVE_STATE } from './liveState.ts'

const step = (tab: string, number: number, more: Partial<InspectionStep> = {}): InspectionStep => ({
  ...{ tab, machine: 'lamp', actor: 1, step: number, event: 'press', value: number % 2 ? 'off' : 'on' },
  ...more,
})
const running = (tab: string, at: number, more: Partial<InspectionStep> = {}): RunningMachine => ({
  ...step(tab, at, more),
  ...{ at, context: null },
})
const moved = (...given: Parameters<typeof running>): InspectionMessage => ({
  kind: 'running',
  ...running(...given),
})
const after = (...messages: InspectionMessage[]) => messages.reduce(applyMessage, EMPTY_LIVE_STATE)

const listSteps = ({ steps }: ReturnType<typeof after>) =>
  [...steps].map(([tab, all]) => [tab, ...all.map((one) => `${one.machine} ${one.step}`)].join(', '))

test('running machines are ordered by their last step, whichever tab reported first', () => {
  const both = [moved('a', 1), moved('b', 2)]
  expect(after(...both).running).toEqual([running('a', 1), running('b', 2)])
  expect(after(...both, moved('a', 3)).running).toEqual([running('b', 2), running('a', 3)])
  expect(
    after(...both, { ...moved('a', 2), step: 5 } as InspectionMessage).running.map(({ tab }) => tab),
  ).toEqual(['b', 'a'])
})

test('the order of tabs’ replies does not order running machines', () => {
  const here = (tab: string, at: number): InspectionMessage => ({
    ...{ kind: 'here', tab, running: [running(tab, at)], steps: [step(tab, at)] },
  })
  const answered = after(moved('a', 1), here('b', 7), here('a', 5))
  expect(answered.running).toEqual([running('a', 5), running('b', 7)])
  expect(listSteps(answered)).toEqual(['a, lamp 5', 'b, lamp 7'])
})

test('a tab’s reply replaces its earlier steps, without duplicates', () => {
  const here: InspectionMessage = {
    ...{ kind: 'here', tab: 'a', running: [running('a', 2)] },
    steps: [step('a', 1), step('a', 2)],
  }
  const once = after(moved('a', 2), moved('a', 2, { actor: 2 }), here)
  expect(once.running).toEqual([running('a', 2)])
  expect(listSteps(once)).toEqual(['a, lamp 1, lamp 2'])
  expect(after(here, here, moved('a', 3), here)).toEqual(once)
  expect(listSteps(after(here, moved('a', 3)))).toEqual(['a, lamp 1, lamp 2, lamp 3'])
})

test('the list keeps twenty steps per machine and tab, without context', () => {
  const numbers = Array.from({ length: 25 }, (_, place) => place + 1)
  const all = after(
    moved('b', 1),
    moved('a', 1, { machine: 'bell', actor: 2 }),
    ...numbers.map((number) => moved('a', number)),
  )
  expect(listSteps(all)).toEqual([
    'b, lamp 1',
    ['a', 'bell 1', ...numbers.slice(5).map((number) => `lamp ${number}`)].join(', '),
  ])
  expect(all.steps.get('a')?.at(-1)).toEqual(step('a', 25))
})

test('an ended machine disappears from the running ones, except its step', () => {
  const last = step('a', 2, { value: 'broken', failed: true })
  const ended = after(moved('a', 1), moved('a', 1, { actor: 2 }), moved('b', 1), { kind: 'ended', ...last })
  expect(ended.running).toEqual([running('a', 1, { actor: 2 }), running('b', 1)])
  expect(ended.steps.get('a')).toEqual([step('a', 1), step('a', 1, { actor: 2 }), last])
})

test('a closed tab has no running machines, and its steps are kept', () => {
  const left = after(moved('a', 1), moved('b', 2), { kind: 'ended', tab: 'a', actor: null })
  expect(left.running).toEqual([running('b', 2)])
  expect(listSteps(left)).toEqual(['a, lamp 1', 'b, lamp 2'])
})

test('the live list ignores requests and reports', () => {
  const before = after(moved('a', 1))
  const reports: InspectionMessage[] = [
    { kind: 'ask' },
    { kind: 'askReport', id: 'x' },
    { kind: 'report', id: 'x', steps: [step('b', 1)] },
  ]
  expect(reports.reduce(applyMessage, before)).toBe(before)
})
