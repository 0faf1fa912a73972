export interface SpecificationRow {
  readonly text: string
  readonly tags: readonly string[]
}

export interface TaggedTest {
  readonly title: string
  readonly tags: readonly string[]
  readonly hasPassed: boolean
}

export const findTags = (text: string): string[] => text.match(/@spec-[a-z0-9-]+/g) ?? []

export function parseSpecificationRows(markdown: string): SpecificationRow[] {
  const lines = markdown.split('\n').filter((line) => line.startsWith('|'))
  const isRule = (line = '') => /^\|[ |-]+$/.test(line)
  const rows = lines
    .filter((line, index) => !isRule(line) && !isRule(lines[index + 1]))
    .map((line) => ({ text: line.split('|')[1]?.trim() ?? '', tags: findTags(line) }))
  const items = markdown.match(/^- .*(?:\n {2}.*)*/gm) ?? []
  return [
    ...rows,
    ...items.map((item) => ({ text: item.slice(2).replace(/\s+/g, ' '), tags: findTags(item) })),
  ]
}

export function findTagProblems(rows: readonly SpecificationRow[], tests: readonly TaggedTest[]): string[] {
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
