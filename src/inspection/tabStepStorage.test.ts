import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { InspectionStep } from './broadcastSteps.ts'
import { claimTabName, storeTabName, tabStepStorage } from './tabStepStorage.ts'

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

const step: InspectionStep = {
  tab: 'a',
  machine: 'lamp',
  actor: 1,
  step: 1,
  event: 'xstate.init',
  value: 'off',
}
const failed: InspectionStep = {
  ...step,
  step: 2,
  event: 'press',
  value: { on: 'warm', by: { hand: 'left' } },
  failed: true,
}

describe('the steps of a tab', () => {
  test('tabStepStorage returns the steps of a tab after a page load', () => {
    expect(tabStepStorage.read()).toEqual([])
    tabStepStorage.write([step, failed])
    expect(tabStepStorage.read()).toEqual([step, failed])
  })

  test.each<[string, InspectionStep[]]>([
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
    ].map((wrong): [string, InspectionStep[]] => [JSON.stringify([{ ...step, ...wrong }, failed]), [failed]]),
  ])('tabStepStorage reads the stored text %s as %j', (text, steps) => {
    kept.set(STEPS, text)
    expect(tabStepStorage.read()).toEqual(steps)
  })
})

describe('the name of a tab', () => {
  test('the name of a tab survives a page load', () => {
    const tab = claimTabName()
    storeTabName(tab)
    expect(claimTabName()).toBe(tab)
  })

  test('a duplicated tab gets another name', () => {
    const tab = claimTabName()
    tabStepStorage.write([{ ...step, tab }])
    expect(claimTabName()).not.toBe(tab)
  })
})
