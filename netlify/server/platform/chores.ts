/** What the sweep reports about the cases of a chore. */
export interface ChoreReport {
  readonly count: (outcome: string, times?: number) => void
  readonly failed: (error: unknown) => void
}

/** One kind of due work of the sweep. `of.id`: its name in the log. `work` stops at `until`, by the process's own clock. */
export interface Chore {
  readonly of: { readonly id: string }
  readonly work: (until: number, report: ChoreReport) => Promise<void>
}
