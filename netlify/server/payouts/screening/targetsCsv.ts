import { err, ok, type Result } from '../../../../domain/common/result.ts'
import type { ListedPerson } from './names.ts'

// Reads `targets.simple.csv` of OpenSanctions (https://www.opensanctions.org/docs/bulk/). `aliases` and
// `birth_date` are lists, separated by semicolons and quoted like cells.

export interface TargetsFile {
  readonly persons: readonly ListedPerson[]
  /** When the newest row was last seen at its source (UTC ms). */
  readonly listedAt: number
}

const COLUMNS = ['id', 'schema', 'name', 'aliases', 'birth_date', 'last_seen'] as const

const THINGS: ReadonlySet<string> = new Set(['Vessel', 'Airplane', 'CryptoWallet', 'Security'])

/** Any line that is not in its form makes the whole file unreadable. */
export function parseTargets(bytes: Uint8Array): Result<TargetsFile, 'empty' | 'unreadable'> {
  let text: string
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return err('unreadable')
  }
  if (text.trim() === '') return err('empty')
  let columns: readonly number[] | null = null
  let width = 0
  let listedAt = 0
  const persons: ListedPerson[] = []
  for (const row of readRows(text, ',')) {
    if (row === null) return err('unreadable')
    if (columns === null) {
      width = row.length
      columns = COLUMNS.map((name) => row.indexOf(name))
      if (columns.includes(-1)) return err('unreadable')
      continue
    }
    const [entry = '', schema = '', name = '', aliases = '', birthDate = '', lastSeen = ''] = columns.map(
      (at) => row[at] ?? '',
    )
    const seenAt = Date.parse(/[Zz]|[+-]\d\d:\d\d$/.test(lastSeen) ? lastSeen : `${lastSeen}Z`)
    if (row.length !== width || Number.isNaN(seenAt) || entry === '') return err('unreadable')
    listedAt = Math.max(listedAt, seenAt)
    if (THINGS.has(schema)) continue
    const names = [name, ...splitList(aliases)].filter((one) => one !== '')
    if (names.length > 0) persons.push({ entry, names, birthDates: splitList(birthDate) })
  }
  return persons.length > 0 ? ok({ persons, listedAt }) : err('empty')
}

const splitList = (cell: string): readonly string[] =>
  cell.includes('"') ? ([...readRows(cell, ';')][0] ?? [cell]) : cell === '' ? [] : cell.split(';')

/** RFC 4180. Yields null where the file is malformed, and then ends. */
function* readRows(text: string, separator: ',' | ';'): Generator<readonly string[] | null> {
  const cell =
    separator === ','
      ? /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r?\n|$)/gy
      : /(?:"((?:[^"]|"")*)"|([^";\r\n]*))(;|\r?\n|$)/gy
  let row: string[] = []
  while (cell.lastIndex < text.length || row.length > 0) {
    const found = cell.exec(text)
    if (!found) return yield null
    row.push(found[1]?.replaceAll('""', '"') ?? found[2] ?? '')
    if (found[3] === separator) continue
    yield row
    row = []
  }
}
