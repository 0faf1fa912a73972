import type { WalkReport } from '../machines/testing/walk.ts'

/** Null if no test walks the machine. */
export function computeCoverage(machine: string, reports: readonly WalkReport[]) {
  const [first, ...others] = reports.filter((report) => report.machine === machine)
  if (!first) return null
  const untaken = first.untaken.filter((one) => others.every((other) => other.untaken.includes(one)))
  return { taken: first.transitions - untaken.length, transitions: first.transitions, untaken }
}
