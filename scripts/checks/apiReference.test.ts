import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { API_REFERENCE_FILE, renderApiReference } from './apiReference.ts'

test('docs/api.md is up to date with `npm run generate`', () => {
  expect(readFileSync(API_REFERENCE_FILE, 'utf8')).toBe(renderApiReference())
})
