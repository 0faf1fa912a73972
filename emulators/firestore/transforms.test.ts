import { expect, test } from 'vitest'
import type { WireValue } from '../wire.ts'
import { applyTransforms, type Transform } from './transforms.ts'

const int = (n: number): WireValue => ({ integerValue: String(n) })
const double = (n: number): WireValue => ({ doubleValue: n })
const list = (...values: WireValue[]): WireValue => ({ arrayValue: { values } })
const append = (...elements: WireValue[]): Transform => ({
  path: ['f'],
  kind: 'appendMissingElements',
  elements,
})

test.each<[string, WireValue | undefined, Transform, WireValue]>([
  ['adds each missing element once', list(int(1)), append(double(1), int(2), int(2)), list(int(1), int(2))],
  ['replaces a value that is not a list', { stringValue: 'a' }, append(int(1)), list(int(1))],
  ['creates a missing field', undefined, append(int(1)), list(int(1))],
])('appending elements %s', (_, stored, transform, value) => {
  expect(applyTransforms(stored ? { f: stored } : {}, [transform], 0).fields).toEqual({ f: value })
})

test('sets a nested field to the request time, and returns it', () => {
  const transforms: Transform[] = [
    { path: ['map', 'at'], kind: 'requestTime' },
    { path: ['list'], kind: 'appendMissingElements', elements: [int(1)] },
  ]
  const at = { timestampValue: '2026-01-31T12:00:00.120Z' }
  expect(applyTransforms({}, transforms, Date.UTC(2026, 0, 31, 12, 0, 0, 120))).toEqual({
    fields: { map: { mapValue: { fields: { at } } }, list: list(int(1)) },
    results: [at, { nullValue: null }],
  })
})
