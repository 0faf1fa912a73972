import type { AnyStateMachine } from 'xstate'
import { type Chart, type ChartState, type ChartTransition, chartOf, withInner } from './chart.ts'
import { causeText, durationText, mermaidOf } from './mermaid.ts'

/** A machine with the source of its file and of what that imports from beside it, the file's own first. */
export interface Sourced {
  readonly machine: AnyStateMachine
  readonly sources: readonly string[]
}

const NOTE = '<!-- Made by `npm run statecharts`: change the machine, not this page. -->\n'

/** All that is in docs/statecharts/: the text of each file by its name. */
export function pagesOf(machines: readonly Sourced[]): Map<string, string> {
  return new Map([
    ['README.md', indexOf(machines)],
    ...machines.flatMap(({ machine, sources }): [string, string][] => [
      [`${machine.id}.md`, pageOf(machine, sources)],
      [`${machine.id}.json`, jsonOf(machine)],
    ]),
  ])
}

/**
 * The machine as `createMachine` reads it: states, events and the names of guards, actions, actors and delays. What only
 * code can say, such as the input of an actor, stays in the machine's file.
 */
export const jsonOf = ({ config }: AnyStateMachine): string => `${JSON.stringify(config, null, 2)}\n`

/** What the docstring at the head of a file says; null where there is none. */
export function docstringOf(source: string): string | null {
  const [, text] = /^\/\*\*(.*?)\*\//s.exec(source) ?? []
  return text === undefined ? null : text.replaceAll(/\s*\n? \* ?/g, ' ').trim()
}

function indexOf(machines: readonly Sourced[]): string {
  const rows = machines.map(({ machine, sources }) => {
    const { name, root, transitions } = chartOf(machine)
    const [sentence = ''] = purposesOf(sources)[0]?.split(/(?<=\.) /) ?? []
    return [`[${name}](${name}.md)`, sentence, withInner(root).length - 1, transitions.length]
  })
  return `${NOTE}
# Statecharts

The machines of [machines/](../../machines), drawn from the machines themselves.

${table(['Machine', 'What it does', 'States', 'Transitions'], rows)}
To change or try a machine in Stately Studio, import \`createMachine(…)\` with the text of its JSON file between the brackets. It has
all the states, and the guards, actions, actors and delays by their names.

How to read a diagram: an arrow is labelled with what it waits for and its guard, and [else] is taken when the guards of the same
event before it said no. A box lists the actors that run in this state (their answer is \`done\`, or \`failed\`), and the events that
it takes in without leaving. 'Anywhere in' holds for all the states around it. What the transitions do is in the table below each diagram.
`
}

function pageOf(machine: AnyStateMachine, sources: readonly string[]): string {
  const chart = chartOf(machine)
  const { name } = chart
  return `${NOTE}
# ${name}

${purposesOf(sources).join('\n\n')}

[The machine](../../machines/${name}.ts) · [its JSON, for import](${name}.json) · [how to read this](README.md)

## Diagram

\`\`\`mermaid
${mermaidOf(chart)}\`\`\`

## States

${statesOf(chart)}
## Events

${table(['In', 'Event', 'Guard', 'Goes to', 'Actions'], eventRows(chart))}${partsOf(chart)}`
}

const statesOf = ({ root }: Chart): string =>
  table(
    ['State', 'What it is for, and what a person can do'],
    withInner(root).flatMap(({ id, description }) => (id === '' ? [] : [[code(id), description]])),
  )

function purposesOf(sources: readonly string[]): string[] {
  return sources.flatMap((source) => docstringOf(source) ?? [])
}

function eventRows(chart: Chart): string[][] {
  return withInner(chart.root).flatMap((state) => [
    ...stepRow(state, 'entry'),
    ...chart.transitions.filter(({ from }) => from === state.id).map((one) => eventRow(chart, one)),
    ...stepRow(state, 'exit'),
  ])
}

function eventRow(chart: Chart, { from, to, cause, guard, isElse, actions }: ChartTransition): string[] {
  return [
    place(from),
    code(causeText(cause, chart.delays)),
    guard ? code(guard) : isElse ? 'else' : '',
    to ? to.map(place).join(', ') : 'stays',
    actions.map(code).join(', '),
  ]
}

function stepRow(state: ChartState, step: 'entry' | 'exit'): string[][] {
  const actions = state[step]
  return actions.length > 0 ? [[place(state.id), step, '', '', actions.map(code).join(', ')]] : []
}

/** The actors with the states that they run in, and the delays with their lengths. */
function partsOf({ root, delays }: Chart): string {
  const states = withInner(root)
  const actors = [...new Set(states.flatMap((state) => state.actors))].map((actor) => [
    code(actor),
    states
      .filter((state) => state.actors.includes(actor))
      .map(({ id }) => place(id))
      .join(', '),
  ])
  const lengths = Object.entries(delays).map(([name, ms]) => [
    code(name),
    ms === null ? 'by the context' : durationText(ms),
  ])
  return [
    actors.length > 0 ? `\n## Actors\n\n${table(['Actor', 'Runs in'], actors)}` : '',
    lengths.length > 0 ? `\n## Delays\n\n${table(['Delay', 'Length'], lengths)}` : '',
  ].join('')
}

const place = (id: string) => (id === '' ? 'anywhere' : code(id))
const code = (text: string) => `\`${text}\``

function table(head: readonly string[], rows: readonly (readonly (string | number)[])[]): string {
  const line = (cells: readonly (string | number)[]) =>
    `| ${cells.map((cell) => String(cell).replaceAll('|', '\\|')).join(' | ')} |\n`
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('')
}
