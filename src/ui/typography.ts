import type { Messages } from '@lingui/core'

const NARROW = '\u202f'
const NO_BREAK = '\u00a0'

/** Puts the no-break spaces of French typography where a translator types an ordinary one. */
export function frenchSpaces(text: string): string {
  return text
    .replace(/ ([!?;%€])/g, `${NARROW}$1`)
    .replace(/ ([:»])/g, `${NO_BREAK}$1`)
    .replace(/(\d) (?=[hj](?!\p{L}))/gu, `$1${NO_BREAK}`)
    .replace(/« /g, `«${NO_BREAK}`)
}

/** The same for a whole compiled catalog, whatever the depth of a message. */
export function typeset(messages: Messages): Messages {
  const walk = (part: unknown): unknown => {
    if (typeof part === 'string') return frenchSpaces(part)
    if (Array.isArray(part)) return part.map((inner, index) => (isName(part, index) ? inner : walk(inner)))
    if (part && typeof part === 'object')
      return Object.fromEntries(Object.entries(part).map(([key, inner]) => [key, walk(inner)]))
    return part
  }
  return walk(messages) as Messages
}

// In a compiled message a placeholder is a list that starts with the name of its value and its format.
const isName = (list: unknown[], index: number) =>
  list.length > 1 &&
  index < 2 &&
  typeof list[1] === 'string' &&
  /^(plural|select|selectordinal|date|number)$/.test(list[1])
