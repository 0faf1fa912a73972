import { useMemo, useState } from 'react'
import type { Chart } from '../statecharts/chart.ts'
import type { Recording, WalkedPaths } from './data.ts'
import { formatEvent } from './formatText.ts'
import { findWalks } from './paths.ts'

interface PathsSectionProps {
  readonly chart: Chart
  readonly paths: readonly Recording[]
  readonly walks: readonly WalkedPaths[]
  readonly state: string
  readonly onPlay: (recording: Recording, count: number) => void
}

/** The shortest test paths are shown first. */
const MAX_OFFERED = 100

export function PathsSection({ chart, paths, walks, state, onPlay }: PathsSectionProps) {
  return (
    <section>
      <h2>Paths</h2>
      <p>
        <select
          aria-label="Shortest path"
          value=""
          onChange={({ target }) => {
            const path = paths.find(({ name }) => name === target.value)
            if (path) onPlay(path, 1)
          }}
        >
          <option value="">Shortest path to…</option>
          {paths.map(({ name }) => (
            <option key={name}>{name}</option>
          ))}
        </select>
      </p>
      {walks.length > 0 && <WalkPicker chart={chart} walks={walks} state={state} onPlay={onPlay} />}
    </section>
  )
}

function WalkPicker({
  chart,
  walks,
  state,
  onPlay,
}: Pick<PathsSectionProps, 'chart' | 'walks' | 'state' | 'onPlay'>) {
  const [part, setPart] = useState('')
  const { count, shortest } = useMemo(() => {
    const looked = part.toLowerCase()
    const isLookedFor = (event: string | null) => formatEvent(event, chart).toLowerCase().includes(looked)
    return findWalks(walks, state, isLookedFor, MAX_OFFERED)
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
          aria-label="Path of the tests"
          value=""
          onChange={({ target }) => {
            const path = shortest[Number(target.value)]
            if (path) onPlay(path, 1)
          }}
        >
          <option value="">
            Paths of the tests that end in {state}: {count}
            {count > shortest.length && `; the ${shortest.length} shortest`}…
          </option>
          {shortest.map(({ steps }, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: two tests may walk one path
            <option key={at} value={at}>
              {steps.map(({ event }) => formatEvent(event, chart)).join(' › ')}
            </option>
          ))}
        </select>
      </p>
    </>
  )
}
