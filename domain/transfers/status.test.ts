import fc from 'fast-check'
import { expect, test } from 'vitest'
import { getStatusColor, normalizeStatus, type Status, type StatusColor } from './status.ts'

const TABLE: readonly (readonly [string, Status, StatusColor])[] = [
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

test.each(TABLE)('maps the status %s to %s, in %s @spec-status', (raw, status, color) => {
  expect(normalizeStatus(raw)).toBe(status)
  expect(getStatusColor(normalizeStatus(raw))).toBe(color)
})

test.each(['', 'requires_action', 'unknown', 'toString', '__proto__', null, undefined, 0, {}])(
  'maps the status %j to unknown, in grey',
  (raw) => {
    expect(normalizeStatus(raw)).toBe('unknown')
    expect(getStatusColor(normalizeStatus(raw))).toBe('grey')
  },
)

test('maps every unlisted status to unknown @spec-status-unknown', () => {
  const known = new Set(TABLE.map(([raw]) => raw))
  fc.assert(
    fc.property(
      fc.string().filter((raw) => !known.has(raw)),
      (raw) => {
        expect(normalizeStatus(raw)).toBe('unknown')
      },
    ),
  )
})
