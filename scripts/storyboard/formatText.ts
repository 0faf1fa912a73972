import { parseXStateEvent } from '../../machines/testing/xstateInternals.ts'
import { type Chart, flattenStates } from '../statecharts/chart.ts'
import { formatCause } from '../statecharts/mermaid.ts'
import type { Move } from './player.ts'
import type { ReportProblem } from './reports.ts'

/** Null is the start. */
export function formatEvent(type: string | null, chart: Chart): string {
  if (type === null || type === 'xstate.init') return 'the start'
  if (type === 'xstate.stop') return 'it is stopped'
  // The walks of the tests send this event.
  if (type === 'walk.wait') return 'time passes'
  const { about, id = '' } = parseXStateEvent(type) ?? {}
  const cause = (kind: 'delay' | 'done' | 'failed', name: string) => formatCause({ kind, name }, chart.delays)
  if (about === 'after') return cause('delay', id.split('.')[0] ?? '')
  if (about === 'done.actor') return cause('done', findActorName(id, chart))
  if (about === 'error.actor') return cause('failed', findActorName(id, chart))
  return type
}

/** The ID is a number and the ID of the actor's state. */
function findActorName(id: string, { name, root }: Chart): string {
  const [, number, around] = /^(\d+)\.(.+)$/.exec(id) ?? []
  const state = flattenStates(root).find((one) => [name, ...(one.id ? [one.id] : [])].join('.') === around)
  return state?.actors[Number(number)] ?? id
}

export function formatMove({ transition: { cause, guard, isElse, to } }: Move, { delays }: Chart): string {
  const when = guard ?? (isElse ? 'else' : null)
  return `${formatCause(cause, delays)}${when ? ` [${when}]` : ''}${to ? ` → ${to.join(', ')}` : ''}`
}

export function formatReportProblem(problem: ReportProblem): string {
  if (problem.kind === 'unreadable')
    return 'The file could not be read. It may have been moved or changed: select it again.'
  if (problem.kind === 'notOurs') return 'This file is not a recording of the app.'
  return `${problem.machine} has no state ${problem.state}. The file is from another version of the app: open it in the storyboard of that version.`
}
