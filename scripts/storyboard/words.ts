import { ownEvent } from '../../machines/testing/insideXState.ts'
import { type Chart, withInner } from '../statecharts/chart.ts'
import { causeText } from '../statecharts/mermaid.ts'
import type { Move } from './player.ts'
import type { ReportProblem } from './reports.ts'

/** An event's type in words, as they stand on the chart of its machine; null is the start. */
export function eventText(type: string | null, chart: Chart): string {
  if (type === null || type === 'xstate.init') return 'the start'
  if (type === 'xstate.stop') return 'it is stopped'
  // Of the walks.
  if (type === 'walk.wait') return 'time passes'
  const { about, id = '' } = ownEvent(type) ?? {}
  const cause = (kind: 'delay' | 'done' | 'failed', name: string) => causeText({ kind, name }, chart.delays)
  if (about === 'after') return cause('delay', id.split('.')[0] ?? '')
  if (about === 'done.actor') return cause('done', actorName(id, chart))
  if (about === 'error.actor') return cause('failed', actorName(id, chart))
  return type
}

/** The name of an actor that a state runs: its id is the actor's number in the state, and the state's id. */
function actorName(id: string, { name, root }: Chart): string {
  const [, number, around] = /^(\d+)\.(.+)$/.exec(id) ?? []
  const state = withInner(root).find((one) => [name, ...(one.id ? [one.id] : [])].join('.') === around)
  return state?.actors[Number(number)] ?? id
}

/** What can be pressed, by its cause, its guard and where it leads. */
export function moveText({ transition: { cause, guard, isElse, to } }: Move, { delays }: Chart): string {
  const when = guard ?? (isElse ? 'else' : null)
  return `${causeText(cause, delays)}${when ? ` [${when}]` : ''}${to ? ` → ${to.join(', ')}` : ''}`
}

/** Why a file that somebody opened is not played, or not all of it. */
export function reportProblemText(problem: ReportProblem): string {
  if (problem.kind === 'unreadable') return 'The file could not be read: it may have been moved or changed.'
  if (problem.kind === 'notOurs') return 'Nothing that the app wrote down is in this file.'
  return `The state ${problem.state} of ${problem.machine} is not known here: the file was written by another version of the app.`
}
