import { describe, expect, test } from 'vitest'
import { describeFailure } from './failures.ts'

const browserTest = {
  file: '/project/e2e/quote.spec.ts',
  title: 'the price (3 %) follows the amount',
  status: 'failed',
  project: 'phone',
  messages: ['Error: expect(received).toBe(expected)\n\n  at /project/e2e/quote.spec.ts:41:20\n'],
  pictures: ['/project/test-results/quote/test-failed-1.png'],
} as const

describe('describeFailure', () => {
  test('names the line, the picture, and the command that repeats one browser test', () => {
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
