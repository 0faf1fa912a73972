import type { WalkReport } from '../../machines/testing/walk.ts'

export interface Coverage {
  readonly machine: string
  readonly taken: number
  readonly transitions: number
  /** Transitions that no test takes. */
  readonly untaken: readonly string[]
}

/** Computes the coverage of a machine by all its walks; null if there are none. */
export function computeCoverage(
  machine: string,
  reports: readonly Omit<WalkReport, 'ways'>[],
): Coverage | null {
  const [first, ...others] = reports.filter((report) => report.machine === machine)
  if (!first) return null
  const untaken = first.untaken.filter((one) => others.every((other) => other.untaken.includes(one)))
  return { machine, taken: first.transitions - untaken.length, transitions: first.transitions, untaken }
}
