import { useMemo, useState } from 'react'
import type { Chart } from '../statecharts/chart.ts'
import type { Recording, Walked } from './data.ts'
import { walkedTo } from './paths.ts'
import { eventText } from './words.ts'

interface WaysProps {
  readonly chart: Chart
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
export function Ways({ chart, paths, walks, state, onPlay }: WaysProps) {
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
      {walks.length > 0 && <Walks chart={chart} walks={walks} state={state} onPlay={onPlay} />}
    </section>
  )
}

/** The paths of the tests that end in the state that is looked at. There are thousands: a part of an event's name narrows them. */
function Walks({ chart, walks, state, onPlay }: Pick<WaysProps, 'chart' | 'walks' | 'state' | 'onPlay'>) {
  const [part, setPart] = useState('')
  const { count, shortest } = useMemo(() => {
    const looked = part.toLowerCase()
    const isLookedFor = (event: string | null) => eventText(event, chart).toLowerCase().includes(looked)
    return walkedTo(walks, state, isLookedFor, MOST_OFFERED)
  }, [walks, chart, state, part])
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
            const path = shortest[Number(target.value)]
            if (path) onPlay(path, 1)
          }}
        >
          <option value="">
            {count} paths of the tests end in {state}
            {count > shortest.length && `; the ${shortest.length} shortest`}…
          </option>
          {shortest.map(({ steps }, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: two tests may walk one path
            <option key={at} value={at}>
              {steps.map(({ event }) => eventText(event, chart)).join(' › ')}
            </option>
          ))}
        </select>
      </p>
    </>
  )
}
