import type { Messages } from '@lingui/core'

const NARROW = '\u202f'
const NO_BREAK = '\u00a0'

/** Inserts the no-break spaces of French typography where translators type ordinary ones. */
export function insertFrenchSpaces(text: string): string {
  return text
    .replace(/ ([!?;%€])/g, `${NARROW}$1`)
    .replace(/ ([:»])/g, `${NO_BREAK}$1`)
    .replace(/(\d) (?=[hj](?!\p{L}))/gu, `$1${NO_BREAK}`)
    .replace(/« /g, `«${NO_BREAK}`)
}

/** Inserts French spaces into all texts of a compiled catalog, at any depth of a message. */
export function typesetCatalog(messages: Messages): Messages {
  const walk = (part: unknown): unknown => {
    if (typeof part === 'string') return insertFrenchSpaces(part)
    if (Array.isArray(part)) return part.map((inner, index) => (isName(part, index) ? inner : walk(inner)))
    if (part && typeof part === 'object')
      return Object.fromEntries(Object.entries(part).map(([key, inner]) => [key, walk(inner)]))
    return part
  }
  return walk(messages) as Messages
}

// Whether the entry is the name or the format of a placeholder, which a compiled message stores as a list.
const isName = (list: unknown[], index: number) =>
  list.length > 1 &&
  index < 2 &&
  typeof list[1] === 'string' &&
  /^(plural|select|selectordinal|date|number)$/.test(list[1])
