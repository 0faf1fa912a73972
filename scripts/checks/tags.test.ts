import { expect, test } from 'vitest'
import { findProblems, findTags, parseRows } from './tags.ts'

const ROWS = parseRows(`# Title

| What must be | Tag |
| --- | --- |
| a fee of 3% | \`@spec-fee\` |
| a fee and a limit | \`@spec-fee\` \`@spec-limit\` |
`)

const passed = (title: string) => ({ title, tags: findTags(title), hasPassed: true })

test('rows are parsed without headings', () => {
  expect(ROWS).toEqual([
    { text: 'a fee of 3%', tags: ['@spec-fee'] },
    { text: 'a fee and a limit', tags: ['@spec-fee', '@spec-limit'] },
  ])
})

test('rows are proven when each of their tags has tests and all of these passed', () => {
  expect(
    findProblems(ROWS, [passed('a @spec-fee'), passed('b @spec-fee c'), passed('d @spec-limit')]),
  ).toEqual([])
})

test('a row without a tag, a tag without a test or a row, and a tagged test that did not pass are reported', () => {
  const rows = [...ROWS, ...parseRows('| untested | |')]
  const tests = [passed('a @spec-limits'), { ...passed('b @spec-fee'), hasPassed: false }]
  expect(findProblems(rows, tests)).toEqual([
    'no tag: untested',
    'no test has @spec-limit',
    'no row has @spec-limits',
    'did not pass: b @spec-fee',
  ])
})
