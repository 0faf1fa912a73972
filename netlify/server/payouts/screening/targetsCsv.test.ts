import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { parseTargets } from './targetsCsv.ts'

const FIXTURE = readFileSync(new URL('../../../testing/targets.simple.csv', import.meta.url))
const parse = (text: string) => parseTargets(new TextEncoder().encode(text))
const HEADER = 'id,schema,name,aliases,birth_date,last_seen'

describe('the list of OpenSanctions', () => {
  test('parses persons and organizations of a list, and skips ships', () => {
    const parsed = parseTargets(FIXTURE)
    if (!parsed.ok) throw new Error(parsed.error)
    expect(parsed.value.persons.map(({ entry }) => entry)).toEqual([
      ...['fx-1', 'fx-2', 'fx-3', 'fx-4', 'fx-5', 'fx-7'],
    ])
    expect(parsed.value.persons.slice(1, 4)).toEqual([
      {
        entry: 'fx-2',
        names: ['Muhammad al-Hakim bin Yusuf', 'Mohamed Alhakim', 'Мухаммад аль-Хаким'],
        birthDates: ['1970', '1971-05'],
      },
      { entry: 'fx-3', names: ['Mamadou Diallo'], birthDates: ['1955-07-02'] },
      {
        entry: 'fx-4',
        names: ["Fatoumata N'Diaye", 'Ndiaye; Fatou', 'Fatou Ndiaye'],
        birthDates: [],
      },
    ])
  })

  test('a list of sanctions is as old as its newest row', () => {
    const rows = ['a,Person,Ada One,,,2026-11-18T06:00:00', 'b,Person,Bob Two,,,2026-11-19T06:00:00+00:00']
    expect(parse([HEADER, ...rows].join('\r\n'))).toMatchObject({
      value: { listedAt: Date.UTC(2026, 10, 19, 6) },
    })
  })

  test('parses a list with its columns in any order', () => {
    expect(parse('last_seen,x,name,birth_date,aliases,schema,id\n2026-11-19,?,Ada One,,,Person,a\n')).toEqual(
      {
        ok: true,
        value: {
          persons: [{ entry: 'a', names: ['Ada One'], birthDates: [] }],
          listedAt: Date.UTC(2026, 10, 19),
        },
      },
    )
  })

  test.each([
    ['no byte', ''],
    ['only a line break', '\n'],
    ['no row', `${HEADER}\n`],
    ['no person', `${HEADER}\na,Vessel,Star,,,2026-11-19T06:00:00\n`],
    ['no name', `${HEADER}\na,Person,,,,2026-11-19T06:00:00\n`],
  ])('a list of sanctions is empty with %s', (_, text) => {
    expect(parse(text)).toEqual({ ok: false, error: 'empty' })
  })

  const ROW = 'a,Person,Ada One,,,2026-11-19T06:00:00'
  test.each([
    ['without a column', `id,name,aliases,birth_date,last_seen\n${ROW}`],
    ['as a page that says what went wrong', '<!doctype html><title>404</title>'],
    ['with a row that was cut off', `${HEADER}\n${ROW}\nb,Person`],
    ['with a quote that never ends', `${HEADER}\n${ROW}\nb,Person,"Bob`],
    ['with a quote inside a cell', `${HEADER}\n${ROW}\nb,Person,B"o"b,,,2026-11-19T06:00:00`],
    ['with a row without an ID', `${HEADER}\n${ROW}\n,Person,Bob,,,2026-11-19T06:00:00`],
    ['without a date', `${HEADER}\na,Person,Ada One,,,\n`],
  ])('a list of sanctions is unreadable %s', (_, text) => {
    expect(parse(text)).toEqual({ ok: false, error: 'unreadable' })
  })

  test('a list in another encoding is unreadable', () => {
    expect(parseTargets(Buffer.from(`${HEADER}\na,Person,Sékou,,,2026-11-19`, 'latin1'))).toEqual({
      ok: false,
      error: 'unreadable',
    })
  })
})
