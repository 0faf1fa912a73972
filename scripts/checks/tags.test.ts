import { expect, test } from 'vitest'
import { findTagProblems, findTags, parseSpecificationRows } from './tags.ts'

const ROWS = parseSpecificationRows(`# Title

| What must be | Tag |
| --- | --- |
| a fee of 3% | \`@spec-fee\` |
| a fee and a limit | \`@spec-fee\` \`@spec-limit\` |
`)

const passed = (title: string) => ({ title, tags: findTags(title), hasPassed: true })

test('parses the rows of a specification table without its heading', () => {
  expect(ROWS).toEqual([
    { text: 'a fee of 3%', tags: ['@spec-fee'] },
    { text: 'a fee and a limit', tags: ['@spec-fee', '@spec-limit'] },
  ])
})

test('parses the items of a list as rows of the specification', () => {
  expect(parseSpecificationRows('- a fee of 3%\n  `@spec-fee`\n- no limit\n\nText')).toEqual([
    { text: 'a fee of 3% `@spec-fee`', tags: ['@spec-fee'] },
    { text: 'no limit', tags: [] },
  ])
})

test('accepts rows of the specification whose tags all have passed tests', () => {
  expect(
    findTagProblems(ROWS, [passed('a @spec-fee'), passed('b @spec-fee c'), passed('d @spec-limit')]),
  ).toEqual([])
})

test('reports rows and tags without counterpart, and tagged tests without success', () => {
  const rows = [...ROWS, ...parseSpecificationRows('| untested | |')]
  const tests = [passed('a @spec-limits'), { ...passed('b @spec-fee'), hasPassed: false }]
  expect(findTagProblems(rows, tests)).toEqual([
    'no tag: untested',
    'no test has @spec-limit',
    'no row has @spec-limits',
    'did not pass: b @spec-fee',
  ])
})
