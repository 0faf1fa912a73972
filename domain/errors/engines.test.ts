import { expect, test } from 'vitest'
import { isEngineSupported } from './engines.ts'

test.each([
  ['chrome/107', true],
  ['chrome/106', false],
  ['firefox/115', true],
  ['firefox/114', false],
  ['safari/16', true],
  ['safari/15', false],
  ['safari/9', false],
  ['other', true],
  ['', true],
  ['constructor/1', true],
])('whether the app supports %s: %s', (engine, isSupported) => {
  expect(isEngineSupported(engine)).toBe(isSupported)
})
