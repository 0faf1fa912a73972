import ELK from 'elkjs/lib/elk.bundled.js'
import { useEffect, useMemo, useState } from 'react'
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
import { type Move, type Player, playerOf, type Step } from './player.ts'
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
  const running = isFollowed ? live.running.findLast(({ machine }) => machine === id) : undefined

  const value = running?.value ?? play.last.value
  const active = activeStates(value)
  const [here = ''] = innermostOf(active)
  const looked = selected ?? here
  const moves = player.moves(running ? player.at(value) : play.last)
  // Whoever takes a step looks at what they do, and no longer at the app.
  const doing =
    <Given extends unknown[]>(act: (...given: Given) => void) =>
    (...given: Given) => {
      setFollowed(false)
      setSelected(null)
      act(...given)
    }
  const take = doing((move: Move) => play.take(move, running ? player.at(value) : play.last))
  const onTake = ({ transition }: Line) => {
    const move = moves.find((one) => one.transition === transition)
    if (move) take(move)
  }
  const isPossible = ({ transition }: Line) => moves.some((move) => move.transition === transition)
  const anywhere = linesOf(chart, chart.root, HAPPY_WAYS[id] ?? [])

  return (
    <main>
      {drawing ? (
        <Chart
          drawing={drawing}
          active={new Set(active)}
          here={here}
          selected={looked}
          isPossible={isPossible}
          onSelect={setSelected}
          onTake={onTake}
          onFold={(state) => setFolded(toggled(folded, state))}
        />
      ) : (
        <p>Drawing…</p>
      )}
      <aside aria-label="The state, and steps">
        {play.played && <Played played={play.played} onPlay={doing(play.follow)} />}
        <StateWords chart={chart} state={looked} isOn={active.includes(looked)} />
        <Pictures data={data} machine={id} state={looked} view={view} onView={setView} />
        <Play
          chart={chart}
          steps={running ? [player.at(value)] : play.steps}
          moves={moves}
          guards={guards}
          yes={play.yes}
          onTake={take}
          onAnswer={doing(play.answer)}
          onBack={doing(play.back)}
          onStart={doing(play.restart)}
        />
        <Ways paths={paths} walks={walks} state={looked} onPlay={doing(play.follow)} />
        {anywhere.length > 0 && (
          <section>
            <h2>In any state</h2>
            <LineList lines={anywhere} isPossible={isPossible} onTake={onTake} />
          </section>
        )}
        <LivePanel
          {...live}
          machine={id}
          isFollowed={isFollowed}
          onFollowing={setFollowed}
          reports={reports}
          onReports={onReports}
          onPlay={doing((recording) => play.follow(recording, recording.steps.length))}
        />
      </aside>
    </main>
  )
}

interface Taken {
  readonly step: Step
  /** Null at the start, and of a recording. */
  readonly move: Move | null
}

/** The steps that somebody takes by hand, or lets a recording take. */
function usePlay(player: Player) {
  const [yes, setYes] = useState(NO_STATES)
  const start = (said: ReadonlySet<string>): Taken => ({ step: player.start(said), move: null })
  const [taken, setTaken] = useState<readonly Taken[]>(() => [start(yes)])
  const [played, setPlayed] = useState<PlayedRecording | null>(null)
  const last = taken.at(-1) ?? start(yes)
  return {
    yes,
    played,
    last: last.step,
    steps: taken.map(({ step }) => step),
    take(move: Move, from: Step) {
      setPlayed(null)
      const before = from === last.step ? taken : [{ step: from, move: null }]
      setTaken([...before, { step: player.take(from, move, yes), move }])
    },
    /** The last step once more, with other guards. */
    answer(guard: string, isYes: boolean) {
      const said = toggled(yes, guard)
      if (said.has(guard) !== isYes) return
      setYes(said)
      const before = taken.at(-2)
      if (last.move && before)
        setTaken([...taken.slice(0, -1), { ...last, step: player.take(before.step, last.move, said) }])
      else if (taken.length === 1 && !played) setTaken([start(said)])
    },
    back() {
      setPlayed(null)
      setTaken(taken.slice(0, -1))
    },
    restart() {
      setPlayed(null)
      setTaken([start(yes)])
    },
    follow(recording: Recording, count: number) {
      setPlayed({ recording, count })
      setTaken(
        recording.steps
          .slice(0, count)
          .map(({ event, value }) => ({ step: { ...player.at(value), event }, move: null })),
      )
    },
  }
}

function partsOf(id: string) {
  const machine = machines.find((one) => one.id === id)
  if (!machine) throw new Error(`No machine ${id}`)
  const chart = chartOf(machine)
  return { chart, player: playerOf(machine, chart), guards: Object.keys(machine.implementations.guards) }
}

function useDrawing(chart: ChartOf, folded: ReadonlySet<string>): Drawing | null {
  const [drawing, setDrawing] = useState<Drawing | null>(null)
  useEffect(() => {
    let isOld = false
    drawingOf(elk, chart, HAPPY_WAYS[chart.name] ?? [], folded).then((drawn) => isOld || setDrawing(drawn))
    return () => {
      isOld = true
    }
  }, [chart, folded])
  return drawing
}

function StateWords({ chart, state, isOn }: { chart: ChartOf; state: string; isOn: boolean }) {
  const found = withInner(chart.root).find(({ id }) => id === state)
  if (!found) return null
  const { id, description, entry, exit } = found
  return (
    <section>
      <h2>
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
