import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { keptSteps, leaveTab, takeTab } from './keptSteps.ts'
import type { Told } from './tell.ts'

const STEPS = 'passerelle.statecharts.steps'

const kept = new Map<string, string>()
const storage = {
  getItem: (key: string) => kept.get(key) ?? null,
  setItem: (key: string, text: string) => {
    kept.set(key, text)
  },
  removeItem: (key: string) => {
    kept.delete(key)
  },
}

beforeEach(() => {
  kept.clear()
  vi.stubGlobal('sessionStorage', storage)
})
afterEach(() => {
  vi.unstubAllGlobals()
})

const step: Told = { tab: 'a', machine: 'lamp', actor: 1, step: 1, event: 'xstate.init', value: 'off' }
const failed: Told = {
  ...step,
  step: 2,
  event: 'press',
  value: { on: 'warm', by: { hand: 'left' } },
  failed: true,
}

describe('the steps of a tab', () => {
  test('are there for its next page', () => {
    expect(keptSteps.read()).toEqual([])
    keptSteps.write([step, failed])
    expect(keptSteps.read()).toEqual([step, failed])
  })

  test.each<[string, Told[]]>([
    ['', []],
    ['{', []],
    ['null', []],
    ['{"steps":[]}', []],
    [JSON.stringify([step, null, 'off', 5, [], {}, failed]), [step, failed]],
    ...[
      { machine: 5 },
      { actor: '1' },
      { actor: 1.5 },
      { actor: null },
      { step: null },
      { event: undefined },
      { value: null },
      { value: { on: 5 } },
      { value: ['off'] },
      { value: {} },
      { failed: 'yes' },
    ].map((wrong): [string, Told[]] => [JSON.stringify([{ ...step, ...wrong }, failed]), [failed]]),
  ])('of %s are %j', (text, steps) => {
    kept.set(STEPS, text)
    expect(keptSteps.read()).toEqual(steps)
  })
})

describe('the name of a tab', () => {
  test('stays over its pages', () => {
    const tab = takeTab()
    leaveTab(tab)
    expect(takeTab()).toBe(tab)
  })

  test('is not that of a tab that was duplicated', () => {
    const tab = takeTab()
    keptSteps.write([{ ...step, tab }])
    // The copy finds the same storage.
    expect(takeTab()).not.toBe(tab)
  })
})
