/** A place in a history that is sorted newest first; the server's own instant, which is finer than a millisecond. */
export interface Place {
  readonly seconds: number
  readonly nanoseconds: number
  /** Decides among rows of the same instant. */
  readonly id: string
}

/** A stretch of the history that is not on this device, between two rows that are. */
export interface Gap {
  /** Null: from the newest row of all. */
  readonly after: Place | null
  /** Null: down to the oldest row of all. */
  readonly until: Place | null
}

/** What is known of a history: its newest row, and what lacks below it, newest first. */
export interface Coverage {
  readonly newest: Place | null
  readonly gaps: readonly Gap[]
}

/** What one answer of the server proves: that there is no other row from `after` down to `oldest`. */
export interface Stretch {
  /** The place that was asked for; null for the newest rows. */
  readonly after: Place | null
  readonly newest: Place | null
  /** Null when the answer reaches to the end of the history. */
  readonly oldest: Place | null
}

/** Of a history that nobody has asked for yet. */
export const NOTHING: Coverage = { newest: null, gaps: [{ after: null, until: null }] }

/** What is known once an answer of the server is on the device. The order in which answers arrive does not matter. */
export function covered({ newest, gaps }: Coverage, stretch: Stretch): Coverage {
  const { after, oldest } = stretch
  // Whoever asks for the newest rows may find any number of rows above the newest one that was known.
  const above: Gap = { after: null, until: newest }
  const open = after !== null ? gaps : newest === null ? [above] : [above, ...gaps]
  const left = open.flatMap((gap): Gap[] => {
    if (isNewer(gap.after, after)) return [gap]
    if (oldest === null || (gap.until && !isNewer(oldest, gap.until))) return []
    return isNewer(gap.after, oldest) ? [{ after: oldest, until: gap.until }] : [gap]
  })
  const isAhead = after === null && stretch.newest && (newest === null || isNewer(stretch.newest, newest))
  return { newest: isAhead ? stretch.newest : newest, gaps: left }
}

/** Null stands for the place before the newest row of all. */
function isNewer(one: Place | null, other: Place | null): boolean {
  if (one === null || other === null) return one === null && other !== null
  if (one.seconds !== other.seconds) return one.seconds > other.seconds
  if (one.nanoseconds !== other.nanoseconds) return one.nanoseconds > other.nanoseconds
  return one.id > other.id
}
