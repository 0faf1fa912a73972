import { describe, expect, test } from 'vitest'
import { isNarrowed, ranInPlaywright, ranInVitest } from '../reports/ran.ts'
import { claimsOf, laterRuns, problemOf, standingOf } from './specification.ts'

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
      { fullName: 'the fee of 1', status: 'failed', failureMessages: ['expected 1 to be 2'] },
    ]
    expect(ranInVitest({ testResults: [{ name: '/p/src/fee.test.ts', assertionResults }] })).toEqual([
      {
        file: '/p/src/fee.test.ts',
        title: 'the fee of 100',
        hasPassed: true,
        wasLeftOut: false,
        messages: [],
      },
      {
        file: '/p/src/fee.test.ts',
        title: 'the fee of 10',
        hasPassed: false,
        wasLeftOut: true,
        messages: [],
      },
      {
        file: '/p/src/fee.test.ts',
        title: 'the fee of 1',
        hasPassed: false,
        wasLeftOut: false,
        messages: ['expected 1 to be 2'],
      },
    ])
  })

  test('of Playwright', () => {
    const [expected, skipped] = [{ status: 'expected' }, { status: 'skipped' }]
    const broken = { status: 'unexpected', results: [{ errors: [{ message: 'not visible' }] }] }
    const file = 'a.spec.ts'
    const inner = { title: 'on a desk', file, specs: [{ title: 'is open', ok: true, tests: [skipped] }] }
    const specs = [
      { title: 'shown', ok: true, tests: [expected, expected] },
      { title: 'broken', ok: false, tests: [broken] },
    ]
    const suites = [{ title: file, file, specs, suites: [inner] }]
    expect(ranInPlaywright({ config: { rootDir: '/p/e2e' }, suites })).toEqual([
      { file: '/p/e2e/a.spec.ts', title: 'shown', hasPassed: true, wasLeftOut: false, messages: [] },
      {
        file: '/p/e2e/a.spec.ts',
        title: 'broken',
        hasPassed: false,
        wasLeftOut: false,
        messages: ['not visible'],
      },
      {
        file: '/p/e2e/a.spec.ts',
        title: 'on a desk is open',
        hasPassed: false,
        wasLeftOut: true,
        messages: [],
      },
    ])
  })
})

describe('a row', () => {
  const ran = [
    { file: '/p/src/fee.test.ts', title: 'the fee of 100', hasPassed: true, wasLeftOut: false, messages: [] },
    { file: '/p/src/fee.test.ts', title: 'the fee of 10', hasPassed: false, wasLeftOut: false, messages: [] },
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

describe('a run of some files', () => {
  const one = (file: string, title: string, outcome: 'passed' | 'failed' | 'left out') => ({
    file: `/p/${file}`,
    title,
    hasPassed: outcome === 'passed',
    wasLeftOut: outcome === 'left out',
    messages: [],
  })
  const claim = (file: string, title: string) => ({ text: 'a fee', test: { file, title } })
  const ran = [
    one('src/fee.test.ts', 'the fee of 100', 'passed'),
    one('src/fee.test.ts', 'the fee of 10', 'failed'),
    one('src/fee.test.ts', 'the rate', 'left out'),
    one('e2e/a.spec.ts', 'is open', 'passed'),
  ]

  test.each([
    ['src/fee.test.ts', 'fee of 100', 'shown'],
    ['src/fee.test.ts', 'the fee', 'did not pass'],
    ['src/fee.test.ts', 'the rate', 'was left out'],
    ['src/fee.test.ts', 'the fee of 1000', 'is not there'],
    ['e2e/a.spec.ts', 'is open', 'shown'],
    ['e2e/a.spec.ts', 'is closed', 'was left out'],
    ['e2e/b.spec.ts', 'is open', 'did not run'],
  ])('says of %s, %j: %s', (file, title, standing) => {
    expect(standingOf(claim(file, title), ran, (path) => path.startsWith('/p/e2e'))).toBe(standing)
  })

  test('tells what has changed since a run of all', () => {
    const whole = [
      one('src/fee.test.ts', 'an earlier title', 'passed'),
      one('src/b.test.ts', 'both', 'passed'),
      one('e2e/a.spec.ts', 'is open', 'passed'),
      one('e2e/a.spec.ts', 'is closed', 'passed'),
    ]
    const known = laterRuns(whole, [
      { tests: ran.slice(0, 3), isNarrowed: false },
      { tests: [one('e2e/a.spec.ts', 'is open', 'failed')], isNarrowed: true },
    ])
    const standing = (file: string, title: string) =>
      standingOf(claim(file, title), known.tests, known.isNarrowed)
    expect(standing('src/fee.test.ts', 'an earlier title')).toBe('is not there')
    expect(standing('src/b.test.ts', 'both')).toBe('shown')
    expect(standing('e2e/a.spec.ts', 'is open')).toBe('did not pass')
    expect(standing('e2e/a.spec.ts', 'is closed')).toBe('shown')
  })

  test.each([
    [['test', 'e2e/a.spec.ts', '--project=phone'], false],
    [['test', 'e2e/a.spec.ts', '-g', 'is open'], true],
    [['test', 'e2e/a.spec.ts', '--grep=is open'], true],
    [['test', 'e2e/a.spec.ts:12'], true],
    [['test', '--last-failed'], true],
  ])('of Playwright with %j leaves tests of its files out: %s', (argv, expected) => {
    expect(isNarrowed({ config: { rootDir: '/p/e2e', argv }, suites: [] })).toBe(expected)
  })
})
