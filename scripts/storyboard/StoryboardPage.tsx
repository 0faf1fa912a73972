import ELK from 'elkjs/lib/elk.bundled.js'
import { useEffect, useState } from 'react'
import type { RunningMachine } from '../../src/inspection/machineList.ts'
import {
  buildChart,
  flattenStates,
  getInnermostStates,
  listActiveStates,
  type Chart as MachineChart,
} from '../../statecharts/chart.ts'
import { machines } from '../../statecharts/machines.ts'
import { buildTransitionLines, type ChartLayout, layOutChart, type TransitionLine } from './cards.ts'
import { findScenes, findScenesAfter, groupScenes, type StoryboardData } from './data.ts'
import { Frame } from './Frame.tsx'
import { HAPPY_PATHS } from './happyPaths.ts'
import { Search } from './Search.tsx'
import { StateChart, TransitionLines } from './StateChart.tsx'
import { formatSelection, parseSelection, type Selection } from './selection.ts'

const elk = new ELK()

const charts = machines.map(buildChart)

export function StoryboardPage({ data }: { data: StoryboardData }) {
  const [place, setPlace] = useState(() => parseSelection(location.hash))
  useEffect(() => {
    const follow = () => setPlace(parseSelection(location.hash))
    addEventListener('hashchange', follow)
    return () => removeEventListener('hashchange', follow)
  }, [])
  const go = (next: Partial<Selection>) => {
    const there = { ...place, ...next }
    history.replaceState(null, '', formatSelection(there))
    setPlace(there)
  }
  const chart = charts.find(({ name }) => name === place.machine) ?? charts[0]
  return (
    <>
      <header>
        <h1>Passerelle storyboard</h1>
        <nav aria-label="Machines">
          {charts.map((one) => (
            <a
              key={one.name}
              href={formatSelection({
                machine: one.name,
                state: null,
                scene: null,
                view: place.view,
              })}
              aria-current={one === chart ? 'page' : undefined}
            >
              {one.name}
            </a>
          ))}
        </nav>
        <Search charts={charts} data={data} view={place.view} />
      </header>
      {chart && (
        <MachinePage
          key={chart.name}
          chart={chart}
          place={{ ...place, machine: chart.name }}
          onPlace={go}
          data={data}
        />
      )}
    </>
  )
}

interface MachinePageProps {
  readonly chart: MachineChart
  readonly place: Selection
  readonly onPlace: (place: Partial<Selection>) => void
  readonly data: StoryboardData
}

function MachinePage({ chart, place, onPlace, data }: MachinePageProps) {
  const { name: id } = chart
  const { state, view } = place
  const drawing = useDrawing(chart)
  const firstState = HAPPY_PATHS[id]?.find((one) => findScenes(data, chart, one).scenes.length > 0) ?? ''
  const findScene = (name: string | null | undefined) => data.scenes.find((one) => one.name === name)
  const stateOfScene = findScene(place.scene)?.at[id]
  const { scenes, reason } = findScenes(data, chart, state ?? stateOfScene ?? firstState)
  const scene = findScene(place.scene) ?? findScene(scenes[0])
  const last = scene?.reached[id]
  const offered = [...(last ? findScenesAfter(data.scenes, id, last.transition) : []), ...scenes]
  const [running, setRunning] = useState<readonly RunningMachine[]>([])
  // Until the frame reports its machines, the scene says where they are.
  const value = running.find(({ machine }) => machine === id)?.value
  const active = value ? listActiveStates(value) : listWithAncestors(scene?.at[id] ?? '')
  const [here = ''] = getInnermostStates(active)
  const looked = state ?? (here || firstState)

  const open = (chosen: string) =>
    onPlace({ state: chosen, scene: findScenes(data, chart, chosen).scenes[0] ?? null })
  const findAfter = ({ transition }: TransitionLine) =>
    findScenesAfter(data.scenes, id, chart.transitions.indexOf(transition))[0]
  const isPossible = (line: TransitionLine) => Boolean(line.transition.to ?? findAfter(line))
  const onTake = (line: TransitionLine) => {
    const after = findAfter(line)
    if (after) onPlace({ state: null, scene: after })
    else open(line.transition.to?.[0] ?? line.transition.from)
  }
  const anywhere = buildTransitionLines(chart, chart.root, HAPPY_PATHS[id] ?? [])

  return (
    <main className={view.window}>
      <section className="beside" aria-label="The app, and its state">
        <Frame
          groups={groupScenes(data.scenes, chart, [...new Set(scene ? [...offered, scene.name] : offered)])}
          scene={scene?.name ?? null}
          reason={reason}
          view={view}
          place={formatSelection({ ...place, scene: scene?.name ?? null })}
          onScene={(chosen) => onPlace({ state: null, scene: chosen })}
          onView={(chosen) => onPlace({ view: chosen })}
          onRun={setRunning}
          onUse={() => onPlace({ state: null, scene: scene?.name ?? null })}
        />
        <StateDescription chart={chart} state={looked} isOn={active.includes(looked)} />
        <TransitionLines
          lines={buildTransitionLines(chart, { id: looked }, HAPPY_PATHS[id] ?? [])}
          label={`Events in ${looked}`}
          isPossible={isPossible}
          onTake={onTake}
        />
        {anywhere.length > 0 && (
          <section>
            <h2>In any state</h2>
            <TransitionLines lines={anywhere} isPossible={isPossible} onTake={onTake} />
          </section>
        )}
      </section>
      {drawing === 'failed' && <p role="alert">This chart could not be drawn. Reload the page.</p>}
      {drawing === null && <p>Drawing…</p>}
      {drawing !== null && drawing !== 'failed' && (
        <StateChart
          name={id}
          drawing={drawing}
          active={new Set(active)}
          selected={looked}
          isPossible={isPossible}
          onSelect={open}
          onTake={onTake}
        />
      )}
    </main>
  )
}

const listWithAncestors = (state: string) =>
  state.split('.').map((_, at, names) => names.slice(0, at + 1).join('.'))

function useDrawing(chart: MachineChart): ChartLayout | 'failed' | null {
  const [drawing, setDrawing] = useState<ChartLayout | 'failed' | null>(null)
  useEffect(() => {
    let isOld = false
    layOutChart(elk, chart, HAPPY_PATHS[chart.name] ?? [])
      .catch(() => 'failed' as const)
      .then((drawn) => isOld || setDrawing(drawn))
    return () => {
      isOld = true
    }
  }, [chart])
  return drawing
}

function StateDescription({ chart, state, isOn }: { chart: MachineChart; state: string; isOn: boolean }) {
  const found = flattenStates(chart.root).find(({ id }) => id === state)
  if (!found) return null
  const { id, description, entry, exit } = found
  return (
    <section aria-live="polite">
      <h2>
        {id}
        {isOn && <span className="here"> · current state</span>}
      </h2>
      <p>{description}</p>
      {entry.length > 0 && <p className="does">On entry: {entry.join(', ')}</p>}
      {exit.length > 0 && <p className="does">On exit: {exit.join(', ')}</p>}
    </section>
  )
}
