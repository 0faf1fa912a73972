import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { describeUsage, findUsage } from '../operations/commands.ts'

const ROOT = join(import.meta.dirname, '../..')
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8')
const find = (pattern: string) =>
  globSync(pattern, { cwd: ROOT, exclude: ['**/node_modules/**', '.cache/**', 'test-results/**'] })
const collect = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, name = '']) => name)

const findMissing = (
  files: readonly string[],
  pattern: RegExp,
  exists: (name: string, file: string) => boolean,
): string[] =>
  files.flatMap((file) =>
    collect(read(file), pattern)
      .filter((name) => !exists(name, file))
      .map((name) => `${file}: ${name}`),
  )

const PAGES = find('**/*.md')

describe('the documents', () => {
  test('link to files that exist', () => {
    const exists = (path: string, page: string) => existsSync(join(ROOT, dirname(page), path))
    expect(findMissing(PAGES, /\]\((?!https?:|mailto:|#)([^)#\s]+)/g, exists)).toEqual([])
  })

  test('name files and folders that exist', () => {
    const rooms =
      'build|domain|e2e|emulators|firebase|legal|machines|netlify|print|public|sandbox|scenes|schedules|scripts|src|statecharts'
    const pattern = new RegExp(`\`((?:${rooms})/[\\w./-]+)\``, 'g')
    expect(findMissing(PAGES, pattern, (path) => existsSync(join(ROOT, path)))).toEqual([])
  })

  test('name settings and constants that exist', () => {
    const sources = find(
      '{*.ts,*.toml,{build,domain,e2e,emulators,machines,netlify,print,sandbox,schedules,scripts,src,statecharts}/**/*.{js,mjs,ts,tsx}}',
    )
    const names = new Set(sources.flatMap((path) => read(path).match(/\b[A-Z][A-Z\d_]{3,}\b/g) ?? []))
    const pattern = /`([A-Z][A-Z\d]*(?:_[A-Z\d]+)+|[A-Z]{6,})(?=[`=])/g
    expect(findMissing(PAGES, pattern, (name) => names.has(name))).toEqual([])
  })

  test('list each setting under Settings in docs/deploying.md', () => {
    const [, list = ''] = /^## Settings\n(.*)/ms.exec(read('docs/deploying.md')) ?? []
    const schemas = ['domain/settings/appSettings.ts', ...find('netlify/server/**/*[sS]ettings.ts')]
    const isListed = (name: string) => list.includes(`\`${name}\``) || name === 'AWS_REGION'
    expect(findMissing(schemas, /^ +([A-Z]+(?:_[A-Z]+)+|URL): /gm, isListed)).toEqual([])
  })
})

describe('the documents and the texts for operators', () => {
  const files = [...PAGES, ...find('{scripts,netlify,sandbox}/**/*.ts')]

  test('name scripts of package.json', () => {
    const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> }
    expect(findMissing(files, /npm run ([a-z][\w:]*)/g, (name) => name in scripts)).toEqual([])
  })

  test('name commands of operators, with their options', () => {
    const options = '--help --sandbox --env --site'
    const exists = (line: string) => {
      const usage = findUsage(line.split(/[^\w-]+/))
      const known = `${options} ${describeUsage(usage ?? '')}`
      return usage !== undefined && collect(line, / (--[a-z]+)/g).every((name) => known.includes(name))
    }
    expect(findMissing(files, /(?:npm run ops --|`ops) ([a-z][^`'"\n#]*)/g, exists)).toEqual([])
  })
})

describe('the alerts in docs/running.md', () => {
  const [, alerts = ''] = /^## Alerts\n(.*?)^## /ms.exec(read('docs/running.md')) ?? []
  const sources = find('netlify/server/**/*.ts').map(read).join('\n')

  test('explain each error that the functions log', () => {
    const events = new Set(collect(sources, /level: 'error',\s*event: '(\w+)'/g))
    expect([...events].filter((event) => !alerts.includes(`\`${event}\``)).sort()).toEqual([])
  })

  test('name only events of the functions', () => {
    // A count in the event `dueWorkDone`.
    const events = collect(alerts, /`([a-z]+[A-Z]\w+)`/g).filter((event) => event !== 'leftOver')
    expect(events.filter((event) => !sources.includes(`'${event}'`))).toEqual([])
  })
})
