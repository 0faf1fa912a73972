import { describe, expect, test } from 'vitest'
import { ranInPlaywright, ranInVitest } from '../reports/ran.ts'
import { claimsOf, problemOf } from './specification.ts'

const TABLE = `# Title

| What must be | Test file | Test |
| --- | --- | --- |
| a fee of 3% | \`src/fee.test.ts\` | the fee |
| \`a\\|b\` | \`src/b.test.ts\` | both |

| What must be | Test file | Test |
| --- | --- | --- |
| a screen | \`e2e/a.spec.ts\` | is open |
`

describe('the table', () => {
  test('is read row by row, without its heads', () => {
    expect(claimsOf(TABLE)).toEqual([
      { text: 'a fee of 3%', test: { file: 'src/fee.test.ts', title: 'the fee' } },
      { text: '`a|b`', test: { file: 'src/b.test.ts', title: 'both' } },
      { text: 'a screen', test: { file: 'e2e/a.spec.ts', title: 'is open' } },
    ])
  })

  test.each(['| a | b |', '| a | b.test.ts | |', '| a | b | c | d |'])('has no row like %j', (row) => {
    expect(() => claimsOf(row)).toThrow('Not three cells')
  })
})

describe('the reports', () => {
  test('of Vitest', () => {
    const assertionResults = [
      { fullName: 'the fee of 100', status: 'passed' },
      { fullName: 'the fee of 10', status: 'skipped' },
    ]
    expect(ranInVitest({ testResults: [{ name: '/p/src/fee.test.ts', assertionResults }] })).toEqual([
      { file: '/p/src/fee.test.ts', title: 'the fee of 100', hasPassed: true },
      { file: '/p/src/fee.test.ts', title: 'the fee of 10', hasPassed: false },
    ])
  })

  test('of Playwright', () => {
    const [expected, skipped] = [{ status: 'expected' }, { status: 'skipped' }]
    const file = 'a.spec.ts'
    const inner = { title: 'on a desk', file, specs: [{ title: 'is open', ok: true, tests: [skipped] }] }
    const specs = [
      { title: 'shown', ok: true, tests: [expected, expected] },
      { title: 'broken', ok: false, tests: [expected] },
    ]
    const suites = [{ title: file, file, specs, suites: [inner] }]
    expect(ranInPlaywright({ config: { rootDir: '/p/e2e' }, suites })).toEqual([
      { file: '/p/e2e/a.spec.ts', title: 'shown', hasPassed: true },
      { file: '/p/e2e/a.spec.ts', title: 'broken', hasPassed: false },
      { file: '/p/e2e/a.spec.ts', title: 'on a desk is open', hasPassed: false },
    ])
  })
})

describe('a row', () => {
  const ran = [
    { file: '/p/src/fee.test.ts', title: 'the fee of 100', hasPassed: true },
    { file: '/p/src/fee.test.ts', title: 'the fee of 10', hasPassed: false },
  ]
  test.each([
    ['src/fee.test.ts', 'fee of 100', null],
    ['src/fee.test.ts', 'the fee', 'did not pass'],
    ['src/fee.test.ts', 'the rate', 'did not run'],
    ['src/other.test.ts', 'fee of 100', 'did not run'],
    ['ee.test.ts', 'fee of 100', 'did not run'],
  ])('with %s, %j: %s', (file, title, problem) => {
    expect(problemOf({ text: 'a fee', test: { file, title } }, ran)).toBe(problem)
  })
})
