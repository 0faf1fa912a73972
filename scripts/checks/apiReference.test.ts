import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { apiReference, PAGE } from './apiReference.ts'

test('docs/api.md is what node scripts/checks/apiReference.ts writes', () => {
  expect(readFileSync(PAGE, 'utf8')).toBe(apiReference())
})
