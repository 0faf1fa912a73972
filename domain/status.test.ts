import fc from 'fast-check'
import { expect, test } from 'vitest'
import { normaliseStatus, type Status, type StatusColour, statusColour } from './status.ts'

const TABLE: readonly (readonly [string, Status, StatusColour])[] = [
  ['succeeded', 'completed', 'green'],
  ['success', 'completed', 'green'],
  ['accepted', 'completed', 'green'],
  ['paid', 'completed', 'green'],
  ['complete', 'completed', 'green'],
  ['completed', 'completed', 'green'],
  ['pending', 'pending', 'yellow'],
  ['processing', 'pending', 'yellow'],
  ['in_progress', 'pending', 'yellow'],
  ['failed', 'failed', 'red'],
  ['declined', 'failed', 'red'],
  ['error', 'failed', 'red'],
  ['canceled', 'canceled', 'red'],
  ['cancelled', 'canceled', 'red'],
]

test.each(TABLE)('%s is %s, in %s @spec-status', (raw, status, colour) => {
  expect(normaliseStatus(raw)).toBe(status)
  expect(statusColour(normaliseStatus(raw))).toBe(colour)
})

test.each(['', 'requires_action', 'unknown', 'toString', '__proto__', null, undefined, 0, {}])(
  '%j is unknown, in grey',
  (raw) => {
    expect(normaliseStatus(raw)).toBe('unknown')
    expect(statusColour(normaliseStatus(raw))).toBe('grey')
  },
)

test('anything else is unknown @spec-status-unknown', () => {
  const known = new Set(TABLE.map(([raw]) => raw))
  fc.assert(
    fc.property(
      fc.string().filter((raw) => !known.has(raw)),
      (raw) => {
        expect(normaliseStatus(raw)).toBe('unknown')
      },
    ),
  )
})
