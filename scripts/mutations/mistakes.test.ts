import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { CAUGHT } from '../../netlify/testing/caught.ts'
import { filesWith } from './mistake.ts'
import { MONEY_MISTAKES } from './moneyMutations.ts'
import { SCREEN_MISTAKES } from './screenMistakes.ts'

test.each([...SCREEN_MISTAKES, ...MONEY_MISTAKES])(
  'the mistake fits the present sources: $name',
  (mistake) => {
    expect(() => filesWith(mistake)).not.toThrow()
    for (const { file } of mistake.seenBy)
      expect(existsSync(join(import.meta.dirname, '../..', file)), file).toBe(true)
  },
)

test('each mistake about money has a schedule that is known to catch it', () => {
  expect(Object.keys(CAUGHT)).toEqual(MONEY_MISTAKES.map(({ name }) => name))
})
