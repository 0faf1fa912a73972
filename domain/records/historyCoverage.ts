/** For rows newest first. The server's instants are more precise than milliseconds. */
export interface HistoryCursor {
  readonly seconds: number
  readonly nanoseconds: number
  /** Transfer ID, which orders rows of the same instant. */
  readonly id: string
}

/** Rows that this device lacks, between two rows that it has. */
export interface HistoryGap {
  /** Null: above the newest row. */
  readonly after: HistoryCursor | null
  /** Null: down to the end of the history. */
  readonly until: HistoryCursor | null
}

/** Gaps are newest first. */
export interface HistoryCoverage {
  readonly newest: HistoryCursor | null
  readonly gaps: readonly HistoryGap[]
}

/** One answer of the server: no other rows exist from `after` down to `oldest`. */
export interface CoveredHistoryRange {
  /** The requested cursor; null for the newest rows. */
  readonly after: HistoryCursor | null
  readonly newest: HistoryCursor | null
  /** Null if the answer reaches the end of the history. */
  readonly oldest: HistoryCursor | null
}

export const NO_COVERAGE: HistoryCoverage = { newest: null, gaps: [{ after: null, until: null }] }

/** Answers may arrive in any order. */
export function extendHistoryCoverage(
  { newest, gaps }: HistoryCoverage,
  stretch: CoveredHistoryRange,
): HistoryCoverage {
  const { after, oldest } = stretch
  // A request for the newest rows may leave a gap above the previously newest one.
  const above: HistoryGap = { after: null, until: newest }
  const open = after !== null ? gaps : newest === null ? [above] : [above, ...gaps]
  const left = open.flatMap((gap): HistoryGap[] => {
    if (isNewer(gap.after, after)) return [gap]
    if (oldest === null || (gap.until && !isNewer(oldest, gap.until))) return []
    return isNewer(gap.after, oldest) ? [{ after: oldest, until: gap.until }] : [gap]
  })
  const isAhead = after === null && stretch.newest && (newest === null || isNewer(stretch.newest, newest))
  return { newest: isAhead ? stretch.newest : newest, gaps: left }
}

/** Null is the cursor above the newest row. */
function isNewer(one: HistoryCursor | null, other: HistoryCursor | null): boolean {
  if (one === null || other === null) return one === null && other !== null
  if (one.seconds !== other.seconds) return one.seconds > other.seconds
  if (one.nanoseconds !== other.nanoseconds) return one.nanoseconds > other.nanoseconds
  return one.id > other.id
}
