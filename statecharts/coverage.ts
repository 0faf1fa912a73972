import type { WalkReport } from '../machines/testing/walk.ts'

export interface Coverage {
  readonly machine: string
  readonly taken: number
  readonly transitions: number
  readonly untaken: readonly string[]
}

export function computeCoverage(machine: string, reports: readonly WalkReport[]): Coverage | null {
  const [first, ...others] = reports.filter((report) => report.machine === machine)
  if (!first) return null
  const untaken = first.untaken.filter((one) => others.every((other) => other.untaken.includes(one)))
  return { machine, taken: first.transitions - untaken.length, transitions: first.transitions, untaken }
}
