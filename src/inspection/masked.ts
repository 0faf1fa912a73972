/** Words of the product's own, which tell nothing of a person. */
const TOLD = new Set([
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
  ...['notice', 'reason', 'problem', 'noMessages', 'error'],
])

/** At most so much of a machine's context is looked at: it is plain data, and not deep. */
const DEEPEST = 6

/** Without digits: no number and no id of anybody reads like one. */
const WORD = /^[a-z][a-z_-]{0,39}$/i

/**
 * What a machine knows, without what is of a person or secret: of texts there is only their length, but for the product's own words; of
 * numbers only whether they are 0; what is there, and what is not, stays to be seen. The names of fields stay too: they are the code's
 * own, for no machine keeps anything by somebody's number or id.
 */
export function masked(value: unknown, key = '', depth = 0): unknown {
  if (value === null || value === undefined || typeof value === 'boolean') return value ?? null
  if (typeof value === 'string')
    return TOLD.has(key) && WORD.test(value) ? value : `… ${value.length} characters`
  if (typeof value === 'number') return value === 0 ? 0 : '… a number'
  if (typeof value !== 'object' || depth >= DEEPEST) return '…'
  if (Array.isArray(value)) return value.map((one) => masked(one, key, depth + 1))
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, masked(inner, name, depth + 1)]),
  )
}
