import { useMemo, useState } from 'react'
import { type Ways as WaysTree, wayTo } from '../../machines/testing/ways.ts'
import { activeStates } from '../statecharts/chart.ts'
import type { Recording, Walked } from './data.ts'
import { eventText } from './words.ts'

interface WaysProps {
  /** The shortest way to each state, by any guards. */
  readonly paths: readonly Recording[]
  readonly walks: readonly Walked[]
  /** The state that is looked at. */
  readonly state: string
  readonly onPlay: (recording: Recording, count: number) => void
}

/** So many of the tests' paths are offered at once, the shortest first. */
const MOST_OFFERED = 100

/** Paths that are generated from the machine, and those that its tests walked. */
export function Ways({ paths, walks, state, onPlay }: WaysProps) {
  return (
    <section>
      <h2>Ways through it</h2>
      <p>
        <select
          aria-label="The shortest way"
          value=""
          onChange={({ target }) => {
            const path = paths.find(({ name }) => name === target.value)
            if (path) onPlay(path, 1)
          }}
        >
          <option value="">The shortest way…</option>
          {paths.map(({ name }) => (
            <option key={name}>{name}</option>
          ))}
        </select>
      </p>
      {walks.length > 0 && <Walks walks={walks} state={state} onPlay={onPlay} />}
    </section>
  )
}

/** The paths of the tests that end in the state that is looked at. There are thousands: a part of an event's name narrows them. */
function Walks({ walks, state, onPlay }: Pick<WaysProps, 'walks' | 'state' | 'onPlay'>) {
  const [part, setPart] = useState('')
  const found = useMemo(
    () => walks.flatMap(({ machine, test, ways }) => pathsIn(machine, test, ways, state)),
    [walks, state],
  )
  const named = found.filter(({ name }) => name.includes(part))
  const offered = named.slice(0, MOST_OFFERED)
  return (
    <>
      <p>
        <input
          type="search"
          placeholder="Part of an event’s name"
          aria-label="Part of an event’s name"
          value={part}
          onChange={({ target }) => setPart(target.value)}
        />
      </p>
      <p>
        <select
          aria-label="A path of the tests"
          value=""
          onChange={({ target }) => {
            const path = offered[Number(target.value)]
            if (path) onPlay(path.recording, 1)
          }}
        >
          <option value="">
            {named.length} paths of the tests end in {state}
            {named.length > offered.length && `; the ${offered.length} shortest`}…
          </option>
          {offered.map(({ name }, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: two tests may walk one path
            <option key={at} value={at}>
              {name}
            </option>
          ))}
        </select>
      </p>
    </>
  )
}

/** The shortest first. */
function pathsIn(machine: string, test: string, ways: WaysTree, state: string) {
  const ends = ways.values.map((value) => activeStates(value).includes(state))
  return ways.steps
    .flatMap(([, , value], at) => (ends[value] ? [wayTo(ways, at)] : []))
    .sort((one, other) => one.length - other.length)
    .map((steps) => ({
      name: steps.map(({ event }) => eventText(event ?? 'xstate.init')).join(' › '),
      recording: { name: `“${test}”`, machine, steps },
    }))
}
