import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

/** `expect.timeout` of playwright.config.ts: a busy machine takes longer than a lower limit. */
const MIN_LIMIT = 30_000

const LIMIT = /\btimeout: ?([\d_]+)|\b(?:setTimeout|setDefaultTimeout)\(([\d_]+)\)/g

const findLowLimits = (source: string) =>
  [...source.matchAll(LIMIT)]
    .filter(([, option = '', call = '']) => Number((option || call).replaceAll('_', '')) < MIN_LIMIT)
    .map(([text]) => text)

test('no end-to-end test has a limit below the configuration’s own', () => {
  const found = globSync('e2e/**/*.ts', { exclude: ['e2e/engines/**'] }).flatMap((file) =>
    findLowLimits(readFileSync(file, 'utf8')).map((text) => `${file}: ${text}`),
  )
  expect(found).toEqual([])
})

test('finds limits of an expectation, a wait and a test', () => {
  const source = 'toBeVisible({ timeout: 5_000 }) test.setTimeout(9000) toPass({ timeout: 30_000 })'
  expect(findLowLimits(source)).toEqual(['timeout: 5_000', 'setTimeout(9000)'])
})
