import { expect, test } from 'vitest'
import { coverageOf } from './coverage.ts'

test('what one walk of a machine leaves out, another one may take', () => {
  const reports = [
    { machine: 'lamp', transitions: 3, untaken: ['press', 'doze'] },
    { machine: 'door', transitions: 2, untaken: [] },
    { machine: 'lamp', transitions: 3, untaken: ['doze', 'break'] },
  ]
  expect(coverageOf('lamp', reports)).toEqual({
    machine: 'lamp',
    taken: 2,
    transitions: 3,
    untaken: ['doze'],
  })
  expect(coverageOf('door', reports)).toEqual({ machine: 'door', taken: 2, transitions: 2, untaken: [] })
  expect(coverageOf('wall', reports)).toBe(null)
})
