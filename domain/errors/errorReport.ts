/** Maximum length of a stripped message. */
export const MAX_MESSAGE_LENGTH = 200

/** Capitalized words that can't be names: the first words of browsers' messages, and their terms. */
const TERMS =
  /^(A|An|Attempted|Cannot|Can|Could|Error|Event|Failed|Hydration|Importing|Internal|Invalid|JSON|Load|Loading|Maximum|Minified|Node|Object|Permission|Promise|React|Rejected|Request|Script|The|This|Unable|Uncaught|Unexpected|[A-Z][A-Za-z]*(Error|Exception)|(HTML|IDB|DOM|SVG|CSS)[A-Za-z]*)$/

/**
 * Removes everything personal from a message: quotations, addresses, paths, query strings, numbers, names and
 * words that are not plain English become `*`. The server strips it again, because the caller need not be the
 * app; stripping a stripped message changes nothing.
 */
export function stripMessage(message: string): string {
  const stripped = message
    .slice(0, 2000)
    .replace(/".*"|".*/s, '"*"')
    .split(/\s+/)
    .map((word) =>
      /[@/\\?=&%\d]|[^\x21-\x7e]/.test(word) ? '*' : word.replace(/[A-Za-z][\w-]*/g, stripName),
    )
    .join(' ')
    .replace(/\*( \*)+/g, '*')
    .trim()
  const isLong = stripped.length > MAX_MESSAGE_LENGTH
  return (isLong ? stripped.slice(0, MAX_MESSAGE_LENGTH).replace(/\s*\S*$/, '') : stripped) || '*'
}

const stripName = (word: string) => (/^[a-z]/.test(word) || TERMS.test(word) ? word : '*')
