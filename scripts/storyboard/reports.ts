import type { InspectionStep } from '../../src/inspection/broadcastSteps.ts'
import { isInspectionStep } from '../../src/inspection/isInspectionStep.ts'
import { type Chart, type ChartState, getInnermostStates, listActiveStates } from '../statecharts/chart.ts'
import type { Recording } from './data.ts'

export type ReportProblem =
  | { readonly kind: 'unreadable' }
  | { readonly kind: 'notOurs' }
  | { readonly kind: 'otherVersion'; readonly machine: string; readonly state: string }

export interface ParsedReport {
  /** One per run of each machine; a run with an unknown step is left out. */
  readonly recordings: readonly Recording[]
  readonly problem: ReportProblem | null
}

const without = (kind: 'unreadable' | 'notOurs'): ParsedReport => ({ recordings: [], problem: { kind } })

export async function parseReport(file: Pick<Blob, 'text'>, charts: readonly Chart[]): Promise<ParsedReport> {
  let text: string
  try {
    text = await file.text()
  } catch {
    return without('unreadable')
  }
  let steps: unknown
  try {
    steps = JSON.parse(text)
  } catch {
    return without('notOurs')
  }
  if (!Array.isArray(steps) || steps.length === 0 || !steps.every(isInspectionStep)) return without('notOurs')
  const isKnown = ({ machine, value }: InspectionStep) =>
    charts.some((chart) => chart.name === machine && isKnownStateValue(chart, value))
  const tabs = [...new Set(steps.map(({ tab }) => tab))]
  const nameRun = ({ machine, actor, tab }: InspectionStep) =>
    `${machine} ${actor}${tabs.length > 1 ? ` in tab ${tabs.indexOf(tab) + 1}` : ''}`
  const runs = [...Map.groupBy(steps, nameRun)]
  const unknown = steps.find((one) => !isKnown(one))
  return {
    recordings: runs
      .filter(([, run]) => run.every(isKnown))
      .map(([name, run]) => ({ name, machine: run[0]?.machine ?? '', steps: run.map(toRecordedStep) })),
    problem: unknown
      ? {
          kind: 'otherVersion',
          machine: unknown.machine,
          state: getInnermostStates(listActiveStates(unknown.value)).join(' and '),
        }
      : null,
  }
}

/** Each state must exist, with one of its substates, or all if they are parallel. */
export function isKnownStateValue({ root }: Chart, value: unknown): boolean {
  return isCompleteValue(root, value)
}

function isCompleteValue({ kind, children }: ChartState, value: unknown): boolean {
  const inner = listSubstates(value)
  const count = kind === 'compound' ? 1 : children.length
  return (
    inner?.length === count &&
    inner.every(([name, inside]) => {
      const child = children.find((one) => one.name === name)
      return child !== undefined && isCompleteValue(child, inside)
    })
  )
}

/** Null for a value that is not a state value. */
function listSubstates(value: unknown): (readonly [name: string, inside: unknown])[] | null {
  if (typeof value === 'string') return [[value, {}]]
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.entries(value) : null
}

const toRecordedStep = ({ event, value, failed }: InspectionStep): Recording['steps'][number] => ({
  event,
  value,
  ...(failed && { hasFailed: true }),
})
