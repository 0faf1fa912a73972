import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { createNameIndex, type ListedPerson, splitName } from './names.ts'
import { parseTargets } from './targetsCsv.ts'

const parsed = parseTargets(readFileSync(new URL('../../../testing/targets.simple.csv', import.meta.url)))
if (!parsed.ok) throw new Error(parsed.error)
const fixture = createNameIndex(parsed.value.persons)
const find = (name: string, birthDate: string | null = null, list = fixture) =>
  list.find(name, birthDate).map(({ entry }) => entry)

const createIndex = (names: readonly string[], birthDates: ListedPerson['birthDates'] = []) =>
  createNameIndex([{ entry: 'x', names, birthDates }])

test.each([
  ['Sékou Keïta', ['seku', 'keita']],
  ['El Hadj Mamadou N’Diaye', ['mamadu', 'ndiaie']],
  ['MUHAMMAD  bin YUSUF', ['muhamad', 'iusuf']],
  ['Jean-Luc', ['jean', 'luc']],
  ['Ɓooyi Ɗiallo', ['bui', 'dialo']],
  ['Le Van', ['le', 'van']],
  ['Мухаммад', ['мухамад']],
  ['–', []],
] as const)('compares %s as %j', (name, words) => {
  expect(splitName(name)).toEqual(words)
})

describe('a name on the list is found', () => {
  test.each([
    ['as it is', 'Sékou Oumar Keïta', 'fx-1'],
    ['without accents, in capitals', 'SEKOU OUMAR KEITA', 'fx-1'],
    ['in another order', 'Keita Sekou', 'fx-1'],
    ['with a typing mistake', 'Sekou Keitta', 'fx-1'],
    ['with a letter less', 'Sekou Omar Kita', 'fx-1'],
    ['in another transliteration', 'Mouhamed Alhakim', 'fx-2'],
    ['in another script', 'Мухаммад аль-Хаким', 'fx-2'],
    ['without its particles', 'Muhammad Hakim Yusuf', 'fx-2'],
    ['with a form of address', 'El Hadj Mamadou Diallo', 'fx-3'],
    ['without its apostrophe', 'Fatoumata Ndiaye', 'fx-4'],
    ['by an alias', 'Fatou N’Diaye', 'fx-4'],
    ['with a word more', 'Mamadou Aliou Diallo', 'fx-3'],
    ['as a single word', 'Shaheen', 'fx-7'],
    ['of an organization', 'Societe Miniere Fleuve', 'fx-5'],
  ])('%s', (_, name, entry) => {
    expect(find(name)).toContain(entry)
  })
})

describe('a name on the list is not found', () => {
  test.each([
    ['by a first name alone', 'Mamadou'],
    ['by a family name alone', 'Diallo'],
    ['by a single word that is only similar', 'Shahin'],
    ['with another family name', 'Mamadou Barry'],
    ['with another first name', 'Alpha Diallo'],
    ['with another short name', 'Sekou Kaba'],
    ['with two words more', 'Mamadou Aliou Oury Diallo'],
    ['by one word twice', 'Diallo Diallo'],
    ['of a ship', 'Mariama Bah'],
    ['without letters', '– –'],
  ])('%s', (_, name) => {
    expect(find(name)).toEqual([])
  })

  test('common names of Guinea do not match each other', () => {
    const first = ['Mamadou', 'Ibrahima', 'Alpha', 'Aminata', 'Mariama', 'Ousmane', 'Fatoumata', 'Thierno']
    const last = ['Diallo', 'Barry', 'Bah', 'Sow', 'Camara', 'Condé', 'Sylla', 'Touré', 'Keïta', 'Soumah']
    const all = first.flatMap((one) => last.map((other) => `${one} ${other}`))
    const list = createNameIndex(all.map((name) => ({ entry: name, names: [name], birthDates: [] })))
    for (const name of all) expect(find(name, null, list), name).toEqual([name])
  })
})

describe('the birth dates of a document and of the list', () => {
  test('birth dates in different years distinguish two persons of the same name', () => {
    expect(find('Mamadou Diallo', '1991-07-02')).toEqual([])
    expect(find('Mamadou Diallo', '1955-01-01')).toEqual(['fx-3'])
  })

  test('a birth date is ignored if the other person has none', () => {
    expect(find('Mamadou Diallo')).toEqual(['fx-3'])
    expect(find('Fatou Ndiaye', '1991-07-02')).toEqual(['fx-4'])
  })

  test('equal birth dates match a name with any number of additional words', () => {
    expect(find('Mamadou Aliou Oury Diallo', '1955-07-02')).toEqual(['fx-3'])
    expect(find('Mamadou Aliou Oury Barry', '1955-07-02')).toEqual([])
  })

  test('a birth date matches one of several, or a year alone', () => {
    const list = createIndex(['Ada One'], ['1970', '1971-05'])
    for (const date of ['1970-12-31', '1971-01-01']) expect(find('Ada One', date, list)).toEqual(['x'])
    expect(find('Ada One', '1972-05-01', list)).toEqual([])
  })
})
