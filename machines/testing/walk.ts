import { expect, type RunnerTestCase, TestRunner } from 'vitest'
import {
  type AnyActorRef,
  type AnyEventObject,
  type AnyMachineSnapshot,
  type AnyStateMachine,
  type AnyTransitionDefinition,
  type ContextFrom,
  createActor,
  type EventFromLogic,
  fromPromise,
  fromTransition,
  type InputFrom,
  initialTransition,
  type NonReducibleUnknown,
  SimulatedClock,
  type SnapshotFrom,
  transition,
} from 'xstate'
import { getShortestPaths, getStateNodes } from 'xstate/graph'
import { DAY } from '../../domain/duration.ts'
import { settle } from './fakeActor.ts'
import { doneEvent, errorEvent, timerChange, transitionsIn } from './insideXState.ts'
import { createWays, type Ways } from './ways.ts'

export interface Walk<Machine extends AnyStateMachine> {
  readonly machine: Machine
  readonly input: InputFrom<Machine>
  /** What may come from outside at this moment. To keep the walk finite, it offers no endless supply of news. */
  readonly events: (snapshot: SnapshotFrom<Machine>) => readonly EventFromLogic<Machine>[]
  /** The context with what makes no difference to what can happen blurred: a long count, the order of a set. */
  readonly blur?: (context: ContextFrom<Machine>) => unknown
  /** What each actor may answer. Any actor may fail besides. */
  readonly answers: { readonly [src: string]: readonly unknown[] }
  /** Asserted after each step of each path. */
  readonly invariant: (step: Step<Machine>) => void
}

export interface Step<Machine extends AnyStateMachine> {
  readonly event: AnyEventObject
  readonly before: SnapshotFrom<Machine>
  readonly after: SnapshotFrom<Machine>
  /** What the actors have been asked since the start of this path. */
  readonly asked: readonly { readonly src: unknown; readonly input: unknown }[]
  /** The path that led here, to name it when an assertion fails. */
  readonly at: string
}

/** What a walk leaves in the report of the test that took it. */
export interface WalkReport {
  /** The machine's id. */
  readonly machine: string
  /** How many transitions the machine has. */
  readonly transitions: number
  /** Those that no path took, each by where it starts, its event, its guard and where it leads. */
  readonly untaken: readonly string[]
  readonly ways: Ways
}

declare module 'vitest' {
  interface TaskMeta {
    /** For scripts/checks/transitions.ts and the storyboard. */
    walks?: WalkReport[]
  }
}

interface Timer {
  readonly id: string | undefined
  readonly at: number
  readonly event: AnyEventObject
}

/** The machine as a value, with the time that its actor would otherwise keep. */
interface World {
  readonly snapshot: AnyMachineSnapshot
  readonly timers: readonly Timer[]
  readonly now: number
  /** The actors that have answered or failed. One that belongs to the state it was started in stays listed there. */
  readonly ended: readonly unknown[]
}

const WAIT = { type: 'walk.wait' }
// A machine that never comes to rest, or has no end of situations, is an error of the test and must not hang it.
const MAX_WAIT = DAY
const MAX_MOVES = 50_000

/**
 * Takes a machine through all that can happen to it: from each situation that can be reached, by the shortest path,
 * each event, each answer of each actor, its failure, and the passing of time until it makes a difference. The paths are
 * generated from the machine as a pure function and then walked by a real actor, with a simulated clock and fake
 * actors. Answers how many paths it walked, and the transitions never taken on them.
 */
export async function walk<Machine extends AnyStateMachine>(settings: Walk<Machine>) {
  const asked: { src: unknown; input: unknown }[] = []
  const pending = new Map<string, { resolve: (output: unknown) => void; reject: (error: Error) => void }>()
  const fake = fromPromise<unknown, NonReducibleUnknown>(({ self, input }) => {
    asked.push({ src: self.src, input })
    return new Promise((resolve, reject) => pending.set(self.id, { resolve, reject }))
  })
  const names = Object.keys(settings.machine.implementations.actors)
  const machine: AnyStateMachine = settings.machine.provide({
    actors: Object.fromEntries(names.map((name) => [name, fake])),
  })
  const start = () =>
    worldAfter(initialTransition(machine, settings.input), { timers: [], now: 0, ended: [] })
  const movesFrom = ({ snapshot, timers, ended }: World): AnyEventObject[] => {
    if (snapshot.status !== 'active') return []
    const running = Object.values<AnyActorRef>(snapshot.children).filter((child) => !ended.includes(child))
    return [
      ...settings.events(snapshot as SnapshotFrom<Machine>),
      ...running.flatMap(({ id: actorId, src }) => [
        ...(settings.answers[String(src)] ?? []).map((output) => doneEvent(actorId, output)),
        errorEvent(actorId, new Error('no answer')),
      ]),
      ...(timers.length > 0 ? [WAIT] : []),
    ]
  }

  const { blur = (context) => context } = settings
  const keyOf = ({ snapshot, timers, ended }: World) =>
    JSON.stringify([
      snapshot.value,
      blur(snapshot.context),
      timers.map(({ id }) => id),
      Object.values(snapshot.children).map((child) => ended.includes(child)),
    ])
  /** The world after each timer that fires, until one has made a difference. */
  function* waiting(world: World) {
    let later = world
    do {
      later = afterNextTimer(later)
      yield later
    } while (later.timers.length > 0 && keyOf(later) === keyOf(world) && later.now - world.now < MAX_WAIT)
  }
  const next = (world: World, event: AnyEventObject) =>
    event.type === WAIT.type ? ([...waiting(world)].at(-1) ?? world) : send(world, event)

  const shortest = getShortestPaths(fromTransition(next, start()), {
    events: ({ context }) => movesFrom(context),
    serializeState: ({ context }) => keyOf(context),
    limit: MAX_MOVES,
  })
  const paths = shortest.flatMap(({ state, steps }) => {
    const path = steps.slice(1).map(({ event }) => event)
    return movesFrom(state.context).map((move) => [...path, move])
  })

  const taken = new Set<AnyTransitionDefinition>()
  const { step, ways } = createWays(start().snapshot.value)
  for (const path of paths) {
    const at = path.map(({ type }) => type).join(' > ')
    asked.length = 0
    const clock = new SimulatedClock()
    const actor = createActor(machine, {
      clock,
      input: settings.input,
      inspect: (happened) => {
        for (const definition of transitionsIn(happened)) taken.add(definition)
      },
    }).start()
    let world = start()
    let walked = 0
    for (const [index, event] of path.entries()) {
      const before = actor.getSnapshot()
      if (event.type === WAIT.type) {
        // One after the other: a timer set by another one counts from then.
        for (const { now } of waiting(world)) clock.set(now)
      } else if ('actorId' in event) {
        const child = pending.get(event.actorId)
        if ('error' in event) child?.reject(event.error)
        else child?.resolve(event.output)
        await settle()
      } else actor.send(event)
      world = next(world, event)
      walked = step(walked, event.type, world.snapshot.value)
      // What comes before is the end of another path.
      if (index < path.length - 1) continue
      const after = actor.getSnapshot()
      expect(situationOf(after), at).toEqual(situationOf(world.snapshot))
      expect(JSON.parse(JSON.stringify(after.context)), at).toEqual(after.context)
      settings.invariant({
        event,
        before: before as SnapshotFrom<Machine>,
        after: after as SnapshotFrom<Machine>,
        asked,
        at,
      })
    }
    actor.stop()
  }

  const transitions = [machine.root, ...getStateNodes(machine.root)].flatMap((node) => [
    ...[...node.transitions.values()].flat(),
    ...(node.always ?? []),
  ])
  const untaken = transitions
    .filter((definition) => !taken.has(definition))
    .map(({ source, eventType, guard, target }) => ({
      from: source.id,
      eventType,
      guard,
      to: target?.map(({ id }) => id),
    }))
  const { meta } = TestRunner.getCurrentTest<RunnerTestCase>()
  const report = {
    machine: machine.id,
    transitions: transitions.length,
    untaken: untaken.map((one) => JSON.stringify(one)),
    ways: ways(),
  }
  meta.walks = [...(meta.walks ?? []), report]
  return { paths: paths.length, untaken }
}

function worldAfter(
  [snapshot, actions]: ReturnType<typeof transition<AnyStateMachine>>,
  { timers, now, ended }: Omit<World, 'snapshot'>,
): World {
  let left = timers
  for (const action of actions) {
    const change = timerChange(action)
    if (change?.kind === 'cancel') left = left.filter(({ id }) => id !== change.id)
    if (change?.kind === 'set')
      left = [...left, { id: change.id, at: now + change.delay, event: change.event }]
  }
  return { snapshot, timers: left, now, ended }
}

function afterNextTimer(world: World): World {
  const now = Math.min(...world.timers.map(({ at }) => at))
  let later = { ...world, now }
  for (const timer of world.timers.filter(({ at }) => at === now)) {
    // One that fires together with it may have cancelled it.
    if (!later.timers.includes(timer)) continue
    later = send({ ...later, timers: later.timers.filter((other) => other !== timer) }, timer.event)
  }
  return later
}

function send(world: World, event: AnyEventObject): World {
  const { snapshot, ended } = world
  return worldAfter(transition(snapshot.machine, snapshot, event), {
    ...world,
    ended: 'actorId' in event ? [...ended, snapshot.children[event.actorId]] : ended,
  })
}

function situationOf({ status, value, context }: AnyMachineSnapshot) {
  return { status, value, context }
}
