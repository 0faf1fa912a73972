import fc from 'fast-check'
import { expect, test } from 'vitest'
import { err, ok } from '../common/result.ts'
import { checkName, getAccountName, getInitials, NAME_MAX_LENGTH, truncateName } from './name.ts'

test.each([
  [' Aïssatou   Diallo ', 'Aïssatou Diallo'],
  ["Jean-Luc O'Neil", "Jean-Luc O'Neil"],
  ['李小龍', '李小龍'],
  ['Mamadou\u202eollaiD\nBah\u0000', 'MamadouollaiD Bah'],
  ['Mamadou \u200f Bah', 'Mamadou Bah'],
  ['Ma\u00adma\u200bdou\u2060\u{e0041} Bah\ufffb', 'Mamadou Bah'],
  ['Mama\u3164dou\u115f\u1160\uffa0 \u2800Bah\u034f\u17b4\u17b5', 'Mamadou Bah'],
])('cleans the name %j to %j', (text, name) => {
  expect(checkName(text)).toEqual(ok(name))
})

test.each(['', '  ', '\u200f\u202e', '\u200b', '\u3164\uffa0', '\u200d', '--'])(
  'refuses the name %j @spec-name',
  (text) => {
    expect(checkName(text)).toEqual(err({ kind: 'nameRequired' }))
  },
)

test.each([
  ['\u202eMariama\tBah\u2069', 'Mariama Bah'],
  ['a'.repeat(101), 'a'.repeat(100)],
  [`${'a'.repeat(99)} Bah`, 'a'.repeat(99)],
  // A surrogate pair and a decomposed accent: neither is cut in two.
  [`${'a'.repeat(99)}😀`, 'a'.repeat(99)],
  [`${'a'.repeat(99)}e\u0301`, 'a'.repeat(99)],
  ['\u200f\u202e', null],
])('converts the external name %j to %j', (text, name) => {
  expect(truncateName(text)).toBe(name)
})

/** The rule `isName` of firebase/firestore.rules. */
const STORED =
  /^(?:(?![\u{34f}\u{17b4}-\u{17b5}])[^\p{Cc}\u{ad}\u{61c}\u{115f}-\u{1160}\u{180e}\u{200b}\u{200e}\u{200f}\u{2028}-\u{202e}\u{2060}-\u{206f}\u{2800}\u{3164}\u{feff}\u{ffa0}\u{fff9}-\u{fffb}\u{e0000}-\u{e007f}])+$/u

test('the initial name of an account can always be stored', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 400 }), (displayName) => {
      const name = getAccountName({ displayName, email: 'mariama.bah@example.com' })
      expect(name.length > NAME_MAX_LENGTH || !STORED.test(name) || name !== name.trim(), name).toBe(false)
    }),
  )
})

test.each([
  [{ displayName: 'Mariama Bah', email: 'mb@example.com' }, 'Mariama Bah'],
  [{ displayName: ' \u200f', email: 'mariama.bah@example.com' }, 'mariama.bah'],
  [{ displayName: null, email: '_@example.com' }, '_@example.com'],
  [{ displayName: null, email: null }, ''],
])('derives the initial name from %j: %j', (account, name) => {
  expect(getAccountName(account)).toBe(name)
})

test.each([
  ['Mariama Bah', 'MB'],
  ['élodie', 'É'],
  ['Ibrahima Sory Camara', 'IS'],
  ['(Tonton) Barry', 'TB'],
  ['3 rue', '3R'],
  ['…', '?'],
])('shortens %j to the initials %s', (name, initials) => {
  expect(getInitials(name)).toBe(initials)
})
