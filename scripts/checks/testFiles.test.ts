import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const ROOT = join(import.meta.dirname, '../..')
const FOLDERS = '{domain,e2e,firebase,machines,netlify,sandbox,scripts,src}'

/** A reader of a test finds what it tells of by the name of its file, and not by scrolling. */
const MOST_LINES = 600

test('no file of tests is longer than 600 lines', () => {
  const files = globSync(`${FOLDERS}/**/*.{test,spec}.{ts,tsx}`, { cwd: ROOT })
  expect(files.length).toBeGreaterThan(200)
  const tooLong = files.flatMap((file) => {
    const lines = readFileSync(join(ROOT, file), 'utf8').split('\n').length - 1
    return lines > MOST_LINES ? [`${file}: ${lines} lines; divide it by what its tests tell of`] : []
  })
  expect(tooLong).toEqual([])
})
