import { expect, test } from 'vitest'
import { bundleFunction, LEFT_OUT } from './functions.ts'

test('a function lacks every listed part of its packages', async () => {
  // The only one that also makes a PDF.
  const { sources } = await bundleFunction('mail-receipt')
  const leftOut = LEFT_OUT.filter((_, index) => sources.some((id) => id.endsWith(`left-out:${index}`)))
  expect(leftOut.map(([id]) => id)).toEqual(LEFT_OUT.map(([id]) => id))
})
