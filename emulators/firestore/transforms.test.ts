import { expect, test } from 'vitest'
import type { WireValue } from '../wire.ts'
import { applyTransforms, type Transform } from './transforms.ts'

const int = (n: number | string): WireValue => ({ integerValue: String(n) })
const double = (n: number): WireValue => ({ doubleValue: n })
const text = (s: string): WireValue => ({ stringValue: s })
const list = (...values: WireValue[]): WireValue => ({ arrayValue: { values } })
const MAX = '9223372036854775807'

const by = (kind: 'increment' | 'maximum' | 'minimum', operand: WireValue): Transform => ({
  path: ['f'],
  kind,
  operand,
})
const elements = (kind: 'appendMissingElements' | 'removeAllFromArray', ...of: WireValue[]): Transform => ({
  path: ['f'],
  kind,
  elements: of,
})

test.each<[string, WireValue | undefined, Transform, WireValue]>([
  ['whole and whole', int(1), by('increment', int(2)), int(3)],
  ['whole and fraction', int(1), by('increment', double(0.5)), double(1.5)],
  ['beyond 64 bits', int(MAX), by('increment', int(1)), int(MAX)],
  ['no number', text('a'), by('increment', int(2)), int(2)],
  ['nothing', undefined, by('increment', int(2)), int(2)],
  ['a greater one', int(1), by('maximum', int(2)), int(2)],
  ['a smaller one', int(2), by('maximum', int(1)), int(2)],
  ['an equal one keeps the stored type', int(2), by('maximum', double(2)), int(2)],
  ['no number', text('a'), by('maximum', int(1)), int(1)],
  ['a smaller one', int(2), by('minimum', double(1.5)), double(1.5)],
  ['nothing', undefined, by('minimum', int(1)), int(1)],
  [
    'what is missing, once',
    list(int(1)),
    elements('appendMissingElements', double(1), int(2), int(2)),
    list(int(1), int(2)),
  ],
  ['no list', text('a'), elements('appendMissingElements', int(1)), list(int(1))],
  [
    'all that are equal',
    list(int(1), int(2), double(1)),
    elements('removeAllFromArray', int(1)),
    list(int(2)),
  ],
  ['nothing', undefined, elements('removeAllFromArray', int(1)), list()],
])('%s: %j, %j', (_, stored, transform, value) => {
  expect(applyTransforms(stored ? { f: stored } : {}, [transform], 0).fields).toEqual({ f: value })
})

test('the request time, nested, and what each transform answers', () => {
  const transforms: Transform[] = [
    { path: ['map', 'at'], kind: 'requestTime' },
    by('increment', int(1)),
    by('increment', int(1)),
    { path: ['list'], kind: 'appendMissingElements', elements: [int(1)] },
  ]
  const at = { timestampValue: '2026-01-31T12:00:00.120Z' }
  expect(applyTransforms({}, transforms, Date.UTC(2026, 0, 31, 12, 0, 0, 120))).toEqual({
    fields: { map: { mapValue: { fields: { at } } }, f: int(2), list: list(int(1)) },
    results: [at, int(1), int(2), { nullValue: null }],
  })
})
