export type Status = 'completed' | 'pending' | 'failed' | 'canceled' | 'unknown'
export type StatusColour = 'green' | 'yellow' | 'red' | 'grey'

/** What is stored for each status that is known. Specification, section 4. */
export const RAW_STATUSES: Record<Exclude<Status, 'unknown'>, readonly string[]> = {
  completed: ['succeeded', 'success', 'accepted', 'paid', 'complete', 'completed'],
  pending: ['pending', 'processing', 'in_progress'],
  failed: ['failed', 'declined', 'error'],
  canceled: ['canceled', 'cancelled'],
}

const STATUSES = new Map(
  Object.entries(RAW_STATUSES).flatMap(([status, raws]) => raws.map((raw) => [raw, status as Status])),
)

const COLOURS: Record<Status, StatusColour> = {
  completed: 'green',
  pending: 'yellow',
  failed: 'red',
  canceled: 'red',
  unknown: 'grey',
}

/** The status a person is shown for what is stored. Specification, section 4. */
export function normaliseStatus(raw: unknown): Status {
  return (typeof raw === 'string' && STATUSES.get(raw)) || 'unknown'
}

/** Specification, section 4. */
export function statusColour(status: Status): StatusColour {
  return COLOURS[status]
}
