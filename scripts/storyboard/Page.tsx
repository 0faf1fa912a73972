import ELK from 'elkjs/lib/elk.bundled.js'
import { type RefObject, useEffect, useMemo, useRef, useState } from 'react'
import { activeStates, type Chart as ChartOf, chartOf, innermostOf, withInner } from '../statecharts/chart.ts'
import { machines } from '../statecharts/machines.ts'
import { Chart, LineList } from './Chart.tsx'
import { type Drawing, drawingOf, type Line, linesOf } from './cards.ts'
import type { Recording, StoryboardData, View } from './data.ts'
import { HAPPY_WAYS } from './happyWays.ts'
import { LivePanel } from './Live.tsx'
import { Pictures } from './Pictures.tsx'
import { Play } from './Play.tsx'
import { Played, type PlayedRecording } from './Played.tsx'
import { pathsOf } from './paths.ts'
import { type Hand, handOf, type Move, type Player, playerOf, type Step } from './player.ts'
import { isKnownValue } from './reports.ts'
import { type Live, useLive } from './useLive.ts'
import { Ways } from './Ways.tsx'

const elk = new ELK()
const NO_STATES: ReadonlySet<string> = new Set()

const idInAddress = () => location.hash.slice(1) || 'transfer'

/** One machine at a time: its chart, what people see in its states, and its steps to be taken by hand. */
export function Page({ data }: { data: StoryboardData }) {
  const [id, setId] = useState(idInAddress)
  const live = useLive()
  const [reports, setReports] = useState<readonly Recording[]>([])
  useEffect(() => {
    const follow = () => setId(idInAddress())
    addEventListener('hashchange', follow)
    return () => removeEventListener('hashchange', follow)
  }, [])
  const machine = machines.find((one) => one.id === id) ?? machines[0]
  return (
    <>
      <header>
        <h1>Passerelle: the storyboard</h1>
        <nav aria-label="Machines">
          {machines.map((one) => (
            <a
              key={one.id}
              href={`#${one.id}`}
              aria-current={one === machine ? 'page' : undefined}
              className={live.running.some((running) => running.machine === one.id) ? 'runs' : undefined}
            >
              {one.id}
            </a>
          ))}
        </nav>
      </header>
      {machine && (
        <MachinePage
          key={machine.id}
          id={machine.id}
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
  readonly id: string
  readonly data: StoryboardData
  readonly live: Live
  readonly reports: readonly Recording[]
  readonly onReports: (reports: readonly Recording[]) => void
}

function MachinePage({ id, data, live, reports, onReports }: MachinePageProps) {
  const { chart, player, guards } = useMemo(() => partsOf(id), [id])
  const play = usePlay(player)
  const [selected, setSelected] = useState<string | null>(null)
  const [folded, setFolded] = useState(NO_STATES)
  const [view, setView] = useState<View>({ window: 'phone', language: 'fr', scheme: 'light' })
  const [isFollowed, setFollowed] = useState(true)
  const drawing = useDrawing(chart, folded)
  const paths = useMemo(() => pathsOf(id, chart, player), [id, chart, player])
  const walks = useMemo(() => data.walks.filter(({ machine }) => machine === id), [data, id])
  // A tab with other code may be in a state that this page does not know.
  const running = isFollowed
    ? live.running.findLast(({ machine, value }) => machine === id && isKnownValue(chart, value))
    : undefined

  const steps = running ? [player.at(running.value)] : play.steps
  const last = steps.at(-1) ?? player.start(play.yes)
  const active = activeStates(last.value)
  const [here = ''] = innermostOf(active)
  const looked = selected ?? here
  const moves = player.moves(last)
  const { heading, pressed } = useFocusAfterPress()
  // Whoever takes a step looks at what they do, and no longer at the app.
  const doing =
    <Given extends unknown[]>(act: (...given: Given) => void) =>
    (...given: Given) => {
      setFollowed(false)
      setSelected(null)
      pressed()
      act(...given)
    }
  const take = doing((move: Move) => play.take(move, last))
  const onTake = ({ transition }: Line) => {
    const move = moves.find((one) => one.transition === transition)
    if (move) take(move)
  }
  const isPossible = ({ transition }: Line) => moves.some((move) => move.transition === transition)
  const anywhere = linesOf(chart, chart.root, HAPPY_WAYS[id] ?? [])

  return (
    <main>
      {drawing === 'failed' && <p role="alert">This chart could not be drawn. Reload the page.</p>}
      {drawing === null && <p>Drawing…</p>}
      {drawing !== null && drawing !== 'failed' && (
        <Chart
          name={id}
          drawing={drawing}
          active={new Set(active)}
          here={here}
          selected={looked}
          isPossible={isPossible}
          // A press on the chosen card goes back to where the machine is.
          onSelect={(state) => setSelected(state === selected ? null : state)}
          onTake={onTake}
          onFold={(state) => setFolded(toggled(folded, state))}
        />
      )}
      <section className="beside" aria-label="The state, and steps">
        {play.played && <Played played={play.played} onPlay={doing(play.follow)} />}
        <StateWords chart={chart} state={looked} isOn={active.includes(looked)} heading={heading} />
        <Pictures data={data} chart={chart} state={looked} view={view} onView={setView} />
        <Play
          chart={chart}
          steps={steps}
          moves={moves}
          guards={guards}
          yes={play.yes}
          onTake={take}
          // Guards are chosen for the app's state too, before a step is taken from it.
          onAnswer={running ? play.answer : doing(play.answer)}
          onBack={doing(play.back)}
          onStart={doing(play.restart)}
        />
        <Ways chart={chart} paths={paths} walks={walks} state={looked} onPlay={doing(play.follow)} />
        {anywhere.length > 0 && (
          <section>
            <h2>In any state</h2>
            <LineList lines={anywhere} isPossible={isPossible} onTake={onTake} />
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

/** The steps that somebody takes by hand, or lets a recording take. */
function usePlay(player: Player) {
  const by = useMemo(() => handOf(player), [player])
  const [hand, setHand] = useState(() => by.start(NO_STATES))
  const [played, setPlayed] = useState<PlayedRecording | null>(null)
  const becomes = (next: Hand, recording: PlayedRecording | null = null) => {
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

function partsOf(id: string) {
  const machine = machines.find((one) => one.id === id)
  if (!machine) throw new Error(`No machine ${id}`)
  const chart = chartOf(machine)
  return { chart, player: playerOf(machine, chart), guards: Object.keys(machine.implementations.guards) }
}

/** A button that was pressed goes with its step. Whoever works by the keyboard, or listens, goes on at the state that it led to. */
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

/** Null while it is being made. */
function useDrawing(chart: ChartOf, folded: ReadonlySet<string>): Drawing | 'failed' | null {
  const [drawing, setDrawing] = useState<Drawing | 'failed' | null>(null)
  useEffect(() => {
    let isOld = false
    drawingOf(elk, chart, HAPPY_WAYS[chart.name] ?? [], folded)
      .catch(() => 'failed' as const)
      .then((drawn) => isOld || setDrawing(drawn))
    return () => {
      isOld = true
    }
  }, [chart, folded])
  return drawing
}

function StateWords({
  chart,
  state,
  isOn,
  heading,
}: {
  chart: ChartOf
  state: string
  isOn: boolean
  heading: RefObject<HTMLHeadingElement | null>
}) {
  const found = withInner(chart.root).find(({ id }) => id === state)
  if (!found) return null
  const { id, description, entry, exit } = found
  return (
    <section>
      <h2 ref={heading} tabIndex={-1}>
        {id}
        {isOn && <span className="here"> · here now</span>}
      </h2>
      <p>{description}</p>
      {entry.length > 0 && <p className="does">On the way in: {entry.join(', ')}</p>}
      {exit.length > 0 && <p className="does">On the way out: {exit.join(', ')}</p>}
    </section>
  )
}

function toggled(set: ReadonlySet<string>, item: string): Set<string> {
  const next = new Set(set)
  if (!next.delete(item)) next.add(item)
  return next
}
