import { describe, expect, test } from 'vitest'
import { describeFailure, describeFlaky, formatGitHubWarning, separateFlaky } from './failures.ts'

const browserTest = {
  file: '/project/e2e/quote.spec.ts',
  title: 'the price (3 %) follows the amount',
  status: 'failed',
  project: 'phone',
  messages: ['Error: expect(received).toBe(expected)\n\n  at /project/e2e/quote.spec.ts:41:20\n'],
  pictures: ['/project/test-results/quote/test-failed-1.png'],
} as const

describe('describeFailure', () => {
  test('names the line, picture and repeating command of a browser test', () => {
    expect(describeFailure(browserTest, '/project')).toEqual([
      '  e2e/quote.spec.ts:41 [phone]: the price (3 %) follows the amount',
      '    Error: expect(received).toBe(expected)',
      '    ',
      '      at /project/e2e/quote.spec.ts:41:20',
      '    picture: test-results/quote/test-failed-1.png',
      String.raw`    again: npm run e2e -- e2e/quote.spec.ts --project=phone -g 'the price \(3 %\) follows the amount$'`,
    ])
  })

  test('quotes the title of a unit test', () => {
    const failed = {
      file: '/project/emulators/wire.test.ts',
      title: "it's closed",
      status: 'failed',
    } as const
    expect(describeFailure({ ...failed, messages: [] }, '/project')).toEqual([
      "  emulators/wire.test.ts: it's closed",
      String.raw`    again: npm run unit -- emulators/wire.test.ts -t 'it'\''s closed$'`,
    ])
  })

  test('shortens a long message', () => {
    const messages = [Array.from({ length: 50 }, (_, index) => `line ${index}`).join('\n')]
    const { file, title, status } = browserTest
    expect(describeFailure({ file, title, status, messages }, '/project')).toHaveLength(14)
  })
})

describe('a repetition alone', () => {
  const failed = { ...browserTest, duration: 34_200 } as const
  const passed = { ...failed, status: 'passed', messages: [], pictures: [], duration: 5_100 } as const

  test('keeps a test red that fails again', () => {
    expect(separateFlaky([failed], [failed])).toEqual({ flaky: [], red: [failed] })
  })

  test('makes a test flaky that passes then', () => {
    expect(separateFlaky([failed], [passed])).toEqual({ flaky: [[failed, passed]], red: [] })
  })

  test.each([
    ['it did not reach', []],
    ['it passed in another window only', [{ ...passed, project: 'desktop' }]],
    ['it skipped', [{ ...passed, status: 'skipped' as const }]],
  ])('keeps a test red that %s', (_, repeated) => {
    expect(separateFlaky([failed], repeated).red).toEqual([failed])
  })

  test('lists a flaky test with both durations, its first error and picture', () => {
    expect(describeFlaky([failed, passed], '/project').slice(0, 3)).toEqual([
      '  e2e/quote.spec.ts:41 [phone]: the price (3 %) follows the amount',
      '    failed after 34.2 s, passed alone in 5.1 s',
      '    Error: expect(received).toBe(expected)',
    ])
    expect(describeFlaky([failed, passed], '/project')).toContain(
      '    picture: test-results/quote/test-failed-1.png',
    )
  })
})

test('a warning on GitHub keeps percent signs and lines', () => {
  const warning = formatGitHubWarning('Flaky tests', ['the price (3 %0A)', 'again: npm run e2e'])
  expect(warning).toBe('::warning title=Flaky tests::the price (3 %250A)%0Aagain: npm run e2e')
})
