import ELK from 'elkjs/lib/elk.bundled.js'
import { type RefObject, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import {
  buildChart,
  flattenStates,
  getInnermostStates,
  listActiveStates,
  type Chart as MachineChart,
} from '../statecharts/chart.ts'
import { machines } from '../statecharts/machines.ts'
import { CompareForm, ComparePage } from './ComparePage.tsx'
import { buildTransitionLines, type ChartLayout, layOutChart, type TransitionLine } from './cards.ts'
import { findScenes, type Recording, type StoryboardData } from './data.ts'
import { Frame } from './Frame.tsx'
import { HAPPY_PATHS } from './happyPaths.ts'
import { LivePanel } from './LivePanel.tsx'
import { PathsSection } from './PathsSection.tsx'
import { PlayPanel } from './PlayPanel.tsx'
import { findShortestPaths } from './paths.ts'
import {
  createManualPlay,
  createPlayer,
  type ManualPlay,
  type Move,
  type Player,
  type Step,
} from './player.ts'
import { type PlayedRecording, ReplayPanel } from './ReplayPanel.tsx'
import { isKnownStateValue } from './reports.ts'
import { Search } from './Search.tsx'
import { StateChart, TransitionLines } from './StateChart.tsx'
import { formatSelection, parseSelection, type Selection } from './selection.ts'
import { type LiveConnection, useLiveSteps } from './useLiveSteps.ts'

const elk = new ELK()
const NO_STATES: ReadonlySet<string> = new Set()

const charts = machines.map(buildChart)

export function StoryboardPage({ data }: { data: StoryboardData }) {
  const [place, setPlace] = useState(() => parseSelection(location.hash))
  const live = useLiveSteps()
  const [reports, setReports] = useState<readonly Recording[]>([])
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
  const machine = machines.find((one) => one.id === place.machine) ?? machines[0]
  return (
    <>
      <header>
        <h1>Passerelle storyboard</h1>
        <nav aria-label="Machines">
          {machines.map((one) => (
            <a
              key={one.id}
              href={formatSelection({
                machine: one.id,
                state: null,
                scene: null,
                compare: null,
                view: place.view,
              })}
              aria-current={one === machine && !place.compare ? 'page' : undefined}
              className={live.running.some((running) => running.machine === one.id) ? 'runs' : undefined}
            >
              {one.id}
            </a>
          ))}
        </nav>
        <Search charts={charts} data={data} view={place.view} />
        <CompareForm compare={place.compare} onCompare={(compare) => go({ compare, scene: null })} />
      </header>
      {place.compare && <ComparePage key={place.compare} place={place} onPlace={go} data={data} />}
      {machine && !place.compare && (
        <MachinePage
          key={machine.id}
          place={{ ...place, machine: machine.id }}
          onPlace={go}
          data={data}
          live={live}
          reports={reports}
          onReports={setReports}
        />
      )}
    </>
  )
}

interface MachinePageProps {
  readonly place: Selection
  readonly onPlace: (place: Partial<Selection>) => void
  readonly data: StoryboardData
  readonly live: LiveConnection
  readonly reports: readonly Recording[]
  readonly onReports: (reports: readonly Recording[]) => void
}

function MachinePage({ place, onPlace, data, live, reports, onReports }: MachinePageProps) {
  const { machine: id, view } = place
  const { chart, player, guards } = useMemo(() => createMachineParts(id), [id])
  const play = useManualPlay(player)
  const [folded, setFolded] = useState(NO_STATES)
  const [isFollowed, setFollowed] = useState(true)
  const drawing = useDrawing(chart, folded)
  const paths = useMemo(() => findShortestPaths(id, chart, player), [id, chart, player])
  const walks = useMemo(() => data.walks.filter(({ machine }) => machine === id), [data, id])
  // A tab with other code may be in a state unknown to this page.
  const running = isFollowed
    ? live.running.findLast(({ machine, value }) => machine === id && isKnownStateValue(chart, value))
    : undefined

  const steps = running ? [player.at(running.value)] : play.steps
  const last = steps.at(-1) ?? player.start(play.yes)
  const active = listActiveStates(last.value)
  const [here = ''] = getInnermostStates(active)
  // The frame stays on its scene while the app in it moves on.
  const looked = place.state ?? here
  const [shownState, setShownState] = useState(looked)
  const chosen = data.scenes.find(({ name }) => name === place.scene)?.name
  const { scenes, reason } = findScenes(data, chart, place.state ?? (chosen ? here : shownState))
  const scene = chosen ?? scenes[0] ?? null
  const moves = player.moves(last)
  const { heading, pressed } = useFocusAfterPress()
  const doing =
    <Given extends unknown[]>(act: (...given: Given) => void) =>
    (...given: Given) => {
      setFollowed(false)
      onPlace({ state: null, scene: null })
      pressed()
      act(...given)
    }
  const take = (move: Move) => {
    const next = getInnermostStates(listActiveStates(player.take(last, move, play.yes).value))[0] ?? ''
    doing(() => play.take(move, last))()
    setShownState(next)
  }
  const followApp = useCallback(() => setFollowed(true), [])
  const onTake = ({ transition }: TransitionLine) => {
    const move = moves.find((one) => one.transition === transition)
    if (move) take(move)
  }
  const isPossible = ({ transition }: TransitionLine) => moves.some((move) => move.transition === transition)
  const anywhere = buildTransitionLines(chart, chart.root, HAPPY_PATHS[id] ?? [])

  return (
    <main className={view.window}>
      {drawing === 'failed' && <p role="alert">This chart could not be drawn. Reload the page.</p>}
      {drawing === null && <p>Drawing…</p>}
      {drawing !== null && drawing !== 'failed' && (
        <StateChart
          name={id}
          drawing={drawing}
          active={new Set(active)}
          here={here}
          selected={looked}
          isPossible={isPossible}
          // Selecting the selected card again returns to the current state.
          onSelect={(state) => {
            onPlace({ state: state === place.state ? null : state, scene: null })
            setFollowed(true)
          }}
          onTake={onTake}
          onFold={(state) => setFolded(toggled(folded, state))}
        />
      )}
      <section className="beside" aria-label="The state, and steps">
        {play.played && <ReplayPanel played={play.played} onPlay={doing(play.follow)} />}
        <StateDescription chart={chart} state={looked} isOn={active.includes(looked)} heading={heading} />
        <Frame
          scenes={scenes}
          scene={scene}
          reason={reason}
          view={view}
          place={formatSelection({ ...place, scene })}
          onScene={(scene) => onPlace({ scene })}
          onView={(view) => onPlace({ view })}
          onLeave={live.forget}
          onUse={followApp}
        />
        <PlayPanel
          chart={chart}
          steps={steps}
          moves={moves}
          guards={guards}
          yes={play.yes}
          onTake={take}
          // Guards can be set for the app's state too, before taking a step from it.
          onAnswer={running ? play.answer : doing(play.answer)}
          onBack={doing(play.back)}
          onStart={doing(play.restart)}
        />
        <PathsSection chart={chart} paths={paths} walks={walks} state={looked} onPlay={doing(play.follow)} />
        {anywhere.length > 0 && (
          <section>
            <h2>In any state</h2>
            <TransitionLines lines={anywhere} isPossible={isPossible} onTake={onTake} />
          </section>
        )}
        <LivePanel
          {...live}
          machine={id}
          chart={chart}
          isFollowed={isFollowed}
          onFollowing={setFollowed}
          reports={reports}
          onReports={onReports}
          onPlay={doing((recording) => play.follow(recording, recording.steps.length))}
        />
      </section>
    </main>
  )
}

function useManualPlay(player: Player) {
  const by = useMemo(() => createManualPlay(player), [player])
  const [hand, setHand] = useState(() => by.start(NO_STATES))
  const [played, setPlayed] = useState<PlayedRecording | null>(null)
  const becomes = (next: ManualPlay, recording: PlayedRecording | null = null) => {
    setHand(next)
    setPlayed(recording)
  }
  return {
    yes: hand.yes,
    played,
    steps: hand.taken.map(({ step }) => step),
    take: (move: Move, from: Step) => becomes(by.press(hand, move, from)),
    answer: (guard: string, isYes: boolean) => setHand(by.answer(hand, guard, isYes)),
    back: () => becomes(by.back(hand)),
    restart: () => becomes(by.start(hand.yes)),
    follow: (recording: Recording, count: number) =>
      becomes(by.follow(hand, recording.steps.slice(0, count)), { recording, count }),
  }
}

function createMachineParts(id: string) {
  const machine = machines.find((one) => one.id === id)
  if (!machine) throw new Error(`No machine ${id}`)
  const chart = buildChart(machine)
  return { chart, player: createPlayer(machine, chart), guards: Object.keys(machine.implementations.guards) }
}

/** A pressed button disappears with its step, so move focus to the heading of the new state. */
function useFocusAfterPress() {
  const heading = useRef<HTMLHeadingElement>(null)
  const isPressed = useRef(false)
  useEffect(() => {
    if (isPressed.current && document.activeElement === document.body)
      heading.current?.focus({ preventScroll: true })
    isPressed.current = false
  })
  return {
    heading,
    pressed() {
      isPressed.current = true
    },
  }
}

function useDrawing(chart: MachineChart, folded: ReadonlySet<string>): ChartLayout | 'failed' | null {
  const [drawing, setDrawing] = useState<ChartLayout | 'failed' | null>(null)
  useEffect(() => {
    let isOld = false
    layOutChart(elk, chart, HAPPY_PATHS[chart.name] ?? [], folded)
      .catch(() => 'failed' as const)
      .then((drawn) => isOld || setDrawing(drawn))
    return () => {
      isOld = true
    }
  }, [chart, folded])
  return drawing
}

function StateDescription({
  chart,
  state,
  isOn,
  heading,
}: {
  chart: MachineChart
  state: string
  isOn: boolean
  heading: RefObject<HTMLHeadingElement | null>
}) {
  const found = flattenStates(chart.root).find(({ id }) => id === state)
  if (!found) return null
  const { id, description, entry, exit } = found
  return (
    <section>
      <h2 ref={heading} tabIndex={-1}>
        {id}
        {isOn && <span className="here"> · current state</span>}
      </h2>
      <p>{description}</p>
      {entry.length > 0 && <p className="does">On entry: {entry.join(', ')}</p>}
      {exit.length > 0 && <p className="does">On exit: {exit.join(', ')}</p>}
    </section>
  )
}

function toggled(set: ReadonlySet<string>, item: string): Set<string> {
  const next = new Set(set)
  if (!next.delete(item)) next.add(item)
  return next
}
