import { readdirSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { chooseTests, findUncovered } from './changedTests.ts'

const TESTS = [
  '[phone] › main-job.spec.ts:50:1 › a new user signs up, sends money and gets a receipt',
  '[desktop] › history.spec.ts:30:1 › the history lists all transfers by month',
  '[phone] › scenes.spec.ts:14:3 › the scene history-empty is accessible',
  '[phone] › scenes.spec.ts:14:3 › the scene profile is accessible',
]

describe('chooseTests', () => {
  test('chooses the changed feature’s specs and scenes, and the main job', () => {
    expect(chooseTests(['src/features/history/HistoryPage.tsx'], TESTS)).toEqual(TESTS.slice(0, 3))
  })

  test('chooses the tests of a changed spec', () => {
    expect(chooseTests(['e2e/history.spec.ts'], TESTS)).toEqual(TESTS.slice(1, 2))
  })

  test('chooses the main job, and the feature named by a helper', () => {
    expect(chooseTests(['e2e/steps/history.ts'], TESTS)).toEqual(TESTS.slice(0, 3))
    expect(chooseTests(['e2e/fixtures.ts'], TESTS)).toEqual(TESTS.slice(0, 1))
  })

  test('chooses no browser test for a change of documents', () => {
    expect(chooseTests(['docs/testing.md'], TESTS)).toEqual([])
  })
})

test('each feature has end-to-end tests that its changes choose', () => {
  const features = readdirSync('src/features').map((name) => `src/features/${name}/`)
  expect(findUncovered(features)).toEqual([])
})
