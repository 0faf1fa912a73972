import { expect, test } from 'vitest'
import { computeCoverage } from './coverage.ts'

test('a transition counts as taken if any walk took it', () => {
  const reports = [
    { machine: 'lamp', transitions: 3, untaken: ['press', 'doze'] },
    { machine: 'door', transitions: 2, untaken: [] },
    { machine: 'lamp', transitions: 3, untaken: ['doze', 'break'] },
  ]
  expect(computeCoverage('lamp', reports)).toEqual({ taken: 2, transitions: 3, untaken: ['doze'] })
  expect(computeCoverage('door', reports)).toEqual({ taken: 2, transitions: 2, untaken: [] })
  expect(computeCoverage('wall', reports)).toBe(null)
})
