import type { Messages } from '@lingui/core'

const NARROW = '\u202f'
const NO_BREAK = '\u00a0'

/** Translators type ordinary spaces. */
export function insertFrenchSpaces(text: string): string {
  return text
    .replace(/ ([!?;%€])/g, `${NARROW}$1`)
    .replace(/ ([:»])/g, `${NO_BREAK}$1`)
    .replace(/(\d|^) (?=[hj](?!\p{L}))/gu, `$1${NO_BREAK}`)
    .replace(/« /g, `«${NO_BREAK}`)
}

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

// A compiled message stores a placeholder's name and format as a list.
const isName = (list: unknown[], index: number) =>
  list.length > 1 &&
  index < 2 &&
  typeof list[1] === 'string' &&
  /^(plural|select|selectordinal|date|number)$/.test(list[1])
