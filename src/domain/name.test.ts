import { expect, test } from 'vitest'
import { checkName } from './name.ts'
import { err, ok } from './result.ts'

test.each([
  [' Aïssatou   Diallo ', 'Aïssatou Diallo'],
  ["Jean-Luc O'Neil", "Jean-Luc O'Neil"],
  ['李小龍', '李小龍'],
  ['Mamadou\u202eollaiD\nBah\u0000', 'MamadouollaiD Bah'],
])('%j is kept as %j', (text, name) => {
  expect(checkName(text)).toEqual(ok(name))
})

test.each(['', '  ', '\u200f\u202e', '\u200b', '--'])('%j is no name', (text) => {
  expect(checkName(text)).toEqual(err({ kind: 'nameRequired' }))
})
