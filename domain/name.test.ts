import fc from 'fast-check'
import { expect, test } from 'vitest'
import { checkName, initialsOf, NAME_MAX_LENGTH, nameFrom, nameOfAccount } from './name.ts'
import { err, ok } from './result.ts'

test.each([
  [' Aïssatou   Diallo ', 'Aïssatou Diallo'],
  ["Jean-Luc O'Neil", "Jean-Luc O'Neil"],
  ['李小龍', '李小龍'],
  ['Mamadou\u202eollaiD\nBah\u0000', 'MamadouollaiD Bah'],
  ['Mamadou \u200f Bah', 'Mamadou Bah'],
])('%j is kept as %j', (text, name) => {
  expect(checkName(text)).toEqual(ok(name))
})

test.each(['', '  ', '\u200f\u202e', '\u200b', '--'])('%j is no name @spec-name', (text) => {
  expect(checkName(text)).toEqual(err({ kind: 'nameRequired' }))
})

test.each([
  ['\u202eMariama\tBah\u2069', 'Mariama Bah'],
  ['a'.repeat(101), 'a'.repeat(100)],
  [`${'a'.repeat(99)} Bah`, 'a'.repeat(99)],
  // Two units, and one with its accent apart: neither is cut in two.
  [`${'a'.repeat(99)}😀`, 'a'.repeat(99)],
  [`${'a'.repeat(99)}e\u0301`, 'a'.repeat(99)],
  ['\u200f\u202e', null],
])('%j of elsewhere is taken over as %j', (text, name) => {
  expect(nameFrom(text)).toBe(name)
})

/** The rule of firebase/firestore.rules: `isName`. */
const STORED = /^[^\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]+$/u

test('whatever an account is called elsewhere, there is a name that can be stored', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 400 }), (displayName) => {
      const name = nameOfAccount({ displayName, email: 'mariama.bah@example.com' })
      expect(name.length > NAME_MAX_LENGTH || !STORED.test(name) || name !== name.trim(), name).toBe(false)
    }),
  )
})

test.each([
  [{ displayName: 'Mariama Bah', email: 'mb@example.com' }, 'Mariama Bah'],
  [{ displayName: ' \u200f', email: 'mariama.bah@example.com' }, 'mariama.bah'],
  [{ displayName: null, email: '_@example.com' }, '_@example.com'],
  [{ displayName: null, email: null }, ''],
])('who never typed a name, %j, is called %j', (account, name) => {
  expect(nameOfAccount(account)).toBe(name)
})

test.each([
  ['Mariama Bah', 'MB'],
  ['élodie', 'É'],
  ['Ibrahima Sory Camara', 'IS'],
  ['(Tonton) Barry', 'TB'],
  ['3 rue', '3R'],
  ['…', '?'],
])('%j is %s in a circle', (name, initials) => {
  expect(initialsOf(name)).toBe(initials)
})
