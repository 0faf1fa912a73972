import type { Messages } from '@lingui/core'
import type { Plugin } from 'vite'

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

/** A start would spend 4 ms on it. Runs after Lingui has compiled the catalog. */
export const createTypographyPlugin = (): Plugin => ({
  name: 'passerelle:french-typography',
  enforce: 'post',
  transform: {
    filter: { id: /\/fr\.po$/ },
    handler: (code) => ({ code: typesetCode(code), map: null }),
  },
})

/** `code`: a compiled catalog. */
export function typesetCode(code: string): string {
  const [literal] = /(?<=JSON\.parse\()".*"(?=\))/.exec(code) ?? []
  if (!literal) throw new Error('Lingui compiles catalogs in another way')
  const messages: Messages = JSON.parse(JSON.parse(literal))
  return code.replace(literal, () => JSON.stringify(JSON.stringify(typesetCatalog(messages))))
}

function typesetCatalog(messages: Messages): Messages {
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
