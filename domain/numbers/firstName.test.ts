import { expect, test } from 'vitest'
import { getFirstName } from './firstName.ts'

test.each([
  ['Mariama Bah', 'Mariama'],
  [' Jean-Luc  Diallo', 'Jean-Luc'],
  ["N'Faly Kouyaté", "N'Faly"],
  ['N’Faly Kouyaté', 'N’Faly'],
  ['N`Faly Kouyaté', "N'Faly"],
  ['N\u00b4Faly Kouyaté', "N'Faly"],
  ['N\u02bcFaly Kouyaté', "N'Faly"],
  ['`Faly', null],
  ['N``Faly', null],
  ['E\u0301lodie', 'E\u0301lodie'],
  ['李小龍', '李小龍'],
  ['', null],
  ['+224620000000', null],
  ['www.example.com', null],
  ['mariama.bah', null],
  ['<b>', null],
  ['Mari\u202eama', null],
  ['Mari\u3164ama', null],
  [`M${'\u0301'.repeat(3)}a`, null],
  ['-Ada', null],
  ['a'.repeat(30), 'a'.repeat(30)],
  ['a'.repeat(31), null],
  ['Passerelle Support', null],
  ['MTN', null],
  ['orange-money', null],
  ['Virement-confirme-donnez', null],
])('shows strangers the first name of %j as %j', (name, first) => {
  expect(getFirstName(name)).toBe(first)
})
