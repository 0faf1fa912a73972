import { isToldStep } from '../../src/inspection/isToldStep.ts'
import type { Told } from '../../src/inspection/tell.ts'
import { activeStates, type Chart, type ChartState, innermostOf } from '../statecharts/chart.ts'
import type { Recording } from './data.ts'

/** Why a file cannot be played, or not all of it. */
export type ReportProblem =
  | { readonly kind: 'unreadable' }
  /** It is something else. */
  | { readonly kind: 'notOurs' }
  /** It tells of a machine, or of a state of it, that is not on this page. */
  | { readonly kind: 'otherVersion'; readonly machine: string; readonly state: string }

/** What a file tells of. */
export interface Report {
  /** The steps of each machine, each run for itself; a run with a step that is not known here is left out. */
  readonly recordings: readonly Recording[]
  readonly problem: ReportProblem | null
}

const without = (kind: 'unreadable' | 'notOurs'): Report => ({ recordings: [], problem: { kind } })

/** Reads what the app wrote down of the machines with these charts. */
export async function reportIn(file: Pick<Blob, 'text'>, charts: readonly Chart[]): Promise<Report> {
  let text: string
  try {
    text = await file.text()
  } catch {
    return without('unreadable')
  }
  let told: unknown
  try {
    told = JSON.parse(text)
  } catch {
    return without('notOurs')
  }
  if (!Array.isArray(told) || told.length === 0 || !told.every(isToldStep)) return without('notOurs')
  const isKnown = ({ machine, value }: Told) =>
    charts.some((chart) => chart.name === machine && isKnownValue(chart, value))
  const tabs = [...new Set(told.map(({ tab }) => tab))]
  const nameOf = ({ machine, actor, tab }: Told) =>
    `${machine} ${actor}${tabs.length > 1 ? ` in tab ${tabs.indexOf(tab) + 1}` : ''}`
  const runs = [...Map.groupBy(told, nameOf)]
  const unknown = told.find((one) => !isKnown(one))
  return {
    recordings: runs
      .filter(([, run]) => run.every(isKnown))
      .map(([name, run]) => ({ name, machine: run[0]?.machine ?? '', steps: run.map(stepOf) })),
    problem: unknown
      ? {
          kind: 'otherVersion',
          machine: unknown.machine,
          state: innermostOf(activeStates(unknown.value)).join(' and '),
        }
      : null,
  }
}

/** Whether this is a whole value of the machine: each state in it exists, and has one of those inside it, or all that are parallel. */
export function isKnownValue({ root }: Chart, value: unknown): boolean {
  return isValueOf(root, value)
}

function isValueOf({ kind, children }: ChartState, value: unknown): boolean {
  const inner = insideOf(value)
  const count = kind === 'compound' ? 1 : children.length
  return (
    inner?.length === count &&
    inner.every(([name, inside]) => {
      const child = children.find((one) => one.name === name)
      return child !== undefined && isValueOf(child, inside)
    })
  )
}

/** The states in a value, each with those inside it; null where it is no value of any machine. */
function insideOf(value: unknown): (readonly [name: string, inside: unknown])[] | null {
  if (typeof value === 'string') return [[value, {}]]
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.entries(value) : null
}

const stepOf = ({ event, value, failed }: Told): Recording['steps'][number] => ({
  event,
  value,
  ...(failed && { hasFailed: true }),
})
