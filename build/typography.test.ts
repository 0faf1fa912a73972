import type { Messages } from '@lingui/core'
import { expect, test } from 'vitest'
import { insertFrenchSpaces, typesetCode } from './typography.ts'

test.each([
  ['Bienvenue !', 'Bienvenue\u202f!'],
  ['Quel montant ?', 'Quel montant\u202f?'],
  ['Frais : 3 €', 'Frais\u00a0: 3\u202f€'],
  ['Dites « oui »', 'Dites «\u00a0oui\u00a0»'],
  ['Bienvenue!', 'Bienvenue!'],
  ['24 h/24, 7 j/7, 2 jours', '24\u00a0h/24, 7\u00a0j/7, 2 jours'],
  ['https://exemple.org/a', 'https://exemple.org/a'],
])('inserts the no-break spaces of French typography into %s', (typed, shown) => {
  expect(insertFrenchSpaces(typed)).toBe(shown)
})

test('typesetting changes texts, but neither placeholders nor plural forms', () => {
  const compile = (messages: Messages) =>
    `/*eslint-disable*/export const messages=JSON.parse(${JSON.stringify(JSON.stringify(messages))});`
  expect(
    typesetCode(
      compile({
        a: ['Frais : ', ['fee']],
        c: ['De ', ['opens'], ' h à ', ['closes'], ' heures'],
        b: [['count', 'plural', { one: ['#', ' jour !'], other: ['#', ' jours !'] }]],
      }),
    ),
  ).toBe(
    compile({
      a: ['Frais\u00a0: ', ['fee']],
      c: ['De ', ['opens'], '\u00a0h à ', ['closes'], ' heures'],
      b: [['count', 'plural', { one: ['#', ' jour\u202f!'], other: ['#', ' jours\u202f!'] }]],
    }),
  )
})

test('the built French catalog is typeset', async () => {
  const { messages } = await import('../src/locales/fr.po')
  const texts = JSON.stringify(messages)
  expect(texts).toContain('\u202f?')
  expect(texts).toBe(insertFrenchSpaces(texts))
})
