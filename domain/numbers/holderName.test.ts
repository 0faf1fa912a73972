import fc from 'fast-check'
import { expect, test } from 'vitest'
import { formatHolderName } from './holderName.ts'

test.each([
  ['Mariama', 'Bah', 'Mariama B.'],
  ['MARIAMA', 'BAH', 'Mariama B.'],
  ['mariama', 'bah', 'Mariama B.'],
  ['Aïssatou', 'Émile', 'Aïssatou É.'],
  ['JEAN-LUC', 'Diallo', 'Jean-Luc D.'],
  ["N'FALY", 'Kouyaté', "N'Faly K."],
  ['McKenzie', 'Sow', 'McKenzie S.'],
  ['Mamadou Saliou', 'Diallo', 'Mamadou D.'],
  ['Élodie', 'E\u0301va', 'Élodie É.'],
  ['李', '小龍', '李 小.'],
  ['مريم', 'باه', 'مريم ب.'],
  // The family name is never shown in full, even if the field of the first name contains it.
  ['Mariama', '', 'Mariama'],
  ['Mariama Bah', '', 'Mariama'],
  ['Mariama', '  ', 'Mariama'],
  ['Mariama', '620 00 00 00', 'Mariama'],
  ['Mariama', '🙂', 'Mariama'],
  ['Mariama', '\u202eBah', 'Mariama'],
  ['Mariama', '\u3164', 'Mariama'],
  ['Mariama', 'ßah', 'Mariama S.'],
  ['', 'Bah', null],
  ['', '', null],
  ['224660000000', 'Bah', null],
  ['Mari4ma', 'Bah', null],
  ['🙂', 'Bah', null],
  ['Mari\u0000ama', 'Bah', null],
  ['\u202eamairaM', 'Bah', null],
  ['Mari\u200bama', 'Bah', null],
  ['\u3164', 'Bah', null],
  [`M${'\u0301'.repeat(9)}a`, 'Bah', null],
  ['a'.repeat(31), 'Bah', null],
  ['<b>Mariama</b>', 'Bah', null],
  // Not a person, or an impostor.
  ['MTN', 'Agent', null],
  ['Passerelle', 'Support', null],
])('formats the name of the holder %j %j as %j', (given, family, shown) => {
  expect(formatHolderName({ given, family })).toBe(shown)
})

test('a formatted holder’s name has at most one family-name letter', () => {
  const anyText = fc.oneof(fc.string({ unit: 'binary' }), fc.string({ unit: 'grapheme' }))
  fc.assert(
    fc.property(anyText, anyText, (given, family) => {
      const shown = formatHolderName({ given, family }) ?? ''
      expect(shown).toMatch(/^(?:[\p{L}\p{M}'’-]{1,30}(?: \p{L}\.)?)?$/u)
      expect(shown).not.toMatch(/\p{Default_Ignorable_Code_Point}|\p{M}{3}/u)
    }),
  )
})
