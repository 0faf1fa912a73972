import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  type CoveredHistoryRange,
  extendHistoryCoverage,
  type HistoryCoverage,
  type HistoryCursor,
  NO_COVERAGE,
} from './historyCoverage.ts'

const at = (seconds: number, id = 'a', nanoseconds = 0): HistoryCursor => ({ seconds, nanoseconds, id })
const newest = (from: number, to: number | null): CoveredHistoryRange => ({
  after: null,
  newest: at(from),
  oldest: to === null ? null : at(to),
})
const below = (after: number, to: number | null): CoveredHistoryRange => ({
  after: at(after),
  newest: at(after - 1),
  oldest: to === null ? null : at(to),
})

test.each<[string, HistoryCoverage, CoveredHistoryRange, HistoryCoverage]>([
  ['an empty history', NO_COVERAGE, { after: null, newest: null, oldest: null }, { newest: null, gaps: [] }],
  ['a short history', NO_COVERAGE, newest(9, null), { newest: at(9), gaps: [] }],
  ['the first page', NO_COVERAGE, newest(9, 5), { newest: at(9), gaps: [{ after: at(5), until: null }] }],
  ['nothing new', { newest: at(9), gaps: [] }, newest(9, 5), { newest: at(9), gaps: [] }],
  [
    'new rows that reach down to the known ones',
    { newest: at(9), gaps: [{ after: at(3), until: null }] },
    newest(14, 9),
    { newest: at(14), gaps: [{ after: at(3), until: null }] },
  ],
  [
    'more new rows than a page',
    { newest: at(9), gaps: [{ after: at(3), until: null }] },
    newest(20, 15),
    {
      newest: at(20),
      gaps: [
        { after: at(15), until: at(9) },
        { after: at(3), until: null },
      ],
    },
  ],
  [
    'a part of a gap',
    { newest: at(20), gaps: [{ after: at(15), until: at(9) }] },
    below(15, 11),
    { newest: at(20), gaps: [{ after: at(11), until: at(9) }] },
  ],
  [
    'a gap to its end and into the next one',
    {
      newest: at(20),
      gaps: [
        { after: at(15), until: at(9) },
        { after: at(7), until: null },
      ],
    },
    below(15, 5),
    { newest: at(20), gaps: [{ after: at(5), until: null }] },
  ],
  [
    'the rest',
    { newest: at(20), gaps: [{ after: at(5), until: null }] },
    below(5, null),
    { newest: at(20), gaps: [] },
  ],
  [
    'an answer that is older than another tab’s',
    { newest: at(20), gaps: [] },
    newest(14, 9),
    { newest: at(20), gaps: [] },
  ],
  ['an answer below an unknown part', NO_COVERAGE, below(5, null), NO_COVERAGE],
])('updates the coverage of the history after %s', (_, before, stretch, after) => {
  expect(extendHistoryCoverage(before, stretch)).toEqual(after)
})

test('orders rows of the same second by nanoseconds, then by ID', () => {
  const known: HistoryCoverage = { newest: at(9, 'b', 5), gaps: [] }
  const until = { newest: at(10), gaps: [{ after: at(9, 'c', 5), until: at(9, 'b', 5) }] }
  expect(extendHistoryCoverage(known, { after: null, newest: at(10), oldest: at(9, 'c', 5) })).toEqual(until)
  expect(extendHistoryCoverage(known, { after: null, newest: at(10), oldest: at(9, 'b', 5) }).gaps).toEqual(
    [],
  )
  expect(extendHistoryCoverage(known, { after: null, newest: at(10), oldest: at(9, 'z', 4) }).gaps).toEqual(
    [],
  )
})

test('the coverage includes only the rows of answers, in any order', () => {
  const rows = Array.from({ length: 40 }, (_, row) => row + 1)
  const page = fc.record({
    after: fc.option(fc.integer({ min: 1, max: 40 })),
    size: fc.integer({ min: 1, max: 9 }),
  })
  fc.assert(
    fc.property(fc.array(page, { maxLength: 12 }), (pages) => {
      const held = new Set<number>()
      let coverage = NO_COVERAGE
      for (const { after, size } of pages) {
        const top = after === null ? 40 : after - 1
        const oldest = top - size + 1
        for (const row of rows) if (row <= top && row >= oldest) held.add(row)
        const ends = oldest < 1 ? null : oldest
        coverage = extendHistoryCoverage(coverage, after === null ? newest(40, ends) : below(after, ends))
      }
      const isLacking = (row: number) =>
        coverage.gaps.some(
          ({ after, until }) =>
            (after === null || row < after.seconds) && (until === null || row > until.seconds),
        )
      expect(rows.filter((row) => !isLacking(row) && !held.has(row))).toEqual([])
    }),
  )
})
