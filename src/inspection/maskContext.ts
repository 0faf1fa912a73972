/** These values are the product's own words, not personal data. */
const UNMASKED_FIELDS = new Set([
  ...[
    'kind',
    'status',
    'outcome',
    'origin',
    'field',
    'country',
    'currency',
    'receivingMethod',
    'tier',
    'purpose',
  ],
  ...['notice', 'reason', 'problem', 'smsRefusal', 'error'],
])

/** Contexts are plain data and are not nested deeper. */
const DEEPEST = 6

/** A word without digits can't be a number or an ID. */
const WORD = /^[a-z][a-z_-]{0,39}$/i

/**
 * A text becomes its length, unless it is one of the product's own words, and a number is shown only if it is
 * 0. Field names and missing values stay visible, because no machine uses personal data as keys.
 */
export function maskContext(value: unknown, key = '', depth = 0): unknown {
  if (value === null || value === undefined || typeof value === 'boolean') return value ?? null
  if (typeof value === 'string')
    return UNMASKED_FIELDS.has(key) && WORD.test(value) ? value : `… ${value.length} characters`
  if (typeof value === 'number') return value === 0 ? 0 : '… a number'
  if (typeof value !== 'object' || depth >= DEEPEST) return '…'
  if (Array.isArray(value)) return value.map((one) => maskContext(one, key, depth + 1))
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, maskContext(inner, name, depth + 1)]),
  )
}
