/** A row of docs/specification.md: a requirement and the tags of the tests that prove it. */
export interface Row {
  readonly text: string
  readonly tags: readonly string[]
}

export interface TaggedTest {
  readonly title: string
  readonly tags: readonly string[]
  readonly hasPassed: boolean
}

export const findTags = (text: string): string[] => text.match(/@spec-[a-z0-9-]+/g) ?? []

/** Reads the rows of the tables in `markdown`, without their headings. */
export function parseRows(markdown: string): Row[] {
  const lines = markdown.split('\n').filter((line) => line.startsWith('|'))
  const isRule = (line = '') => /^\|[ |-]+$/.test(line)
  return lines
    .filter((line, index) => !isRule(line) && !isRule(lines[index + 1]))
    .map((line) => ({ text: line.split('|')[1]?.trim() ?? '', tags: findTags(line) }))
}

/** One line for each row without a tag, tag without a test or a row, and tagged test that did not pass. */
export function findProblems(rows: readonly Row[], tests: readonly TaggedTest[]): string[] {
  const named = new Set(rows.flatMap(({ tags }) => tags))
  const carried = new Set(tests.flatMap(({ tags }) => tags))
  return [
    ...rows.filter(({ tags }) => tags.length === 0).map(({ text }) => `no tag: ${text}`),
    ...[...named].filter((tag) => !carried.has(tag)).map((tag) => `no test has ${tag}`),
    ...[...carried].filter((tag) => !named.has(tag)).map((tag) => `no row has ${tag}`),
    ...tests
      .filter(({ tags, hasPassed }) => tags.length > 0 && !hasPassed)
      .map(({ title }) => `did not pass: ${title}`),
  ]
}
