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
import { DAY } from '../../domain/common/duration.ts'
import { flushQueue } from './fakeActor.ts'
import { buildDoneEvent, buildErrorEvent, getTakenTransitions, parseTimerChange } from './xstateInternals.ts'

export interface WalkSettings<Machine extends AnyStateMachine> {
  readonly machine: Machine
  readonly input: InputFrom<Machine>
  /** External events possible at this moment. Finite, to keep the walk finite. */
  readonly events: (snapshot: SnapshotFrom<Machine>) => readonly EventFromLogic<Machine>[]
  /** Omits differences that don't affect what can happen, such as a high count. */
  readonly blur?: (context: ContextFrom<Machine>) => unknown
  /** Every actor may also fail. */
  readonly answers: { readonly [src: string]: readonly unknown[] }
  readonly invariant: (step: WalkStep<Machine>) => void
}

export interface WalkStep<Machine extends AnyStateMachine> {
  readonly event: AnyEventObject
  readonly before: SnapshotFrom<Machine>
  readonly after: SnapshotFrom<Machine>
  /** The inputs of all actors since the start of this path. */
  readonly asked: readonly { readonly src: unknown; readonly input: unknown }[]
  readonly at: string
}

export interface WalkReport {
  readonly machine: string
  readonly transitions: number
  /** No path took these: source, event, guard and target. */
  readonly untaken: readonly string[]
}

declare module 'vitest' {
  interface TaskMeta {
    /** For scripts/checks/transitions.ts. */
    walks?: WalkReport[]
  }
}

interface Timer {
  readonly id: string | undefined
  readonly at: number
  readonly event: AnyEventObject
}

interface World {
  readonly snapshot: AnyMachineSnapshot
  readonly timers: readonly Timer[]
  readonly now: number
  /** Answered or failed. XState keeps listing them in the state that started them. */
  readonly ended: readonly unknown[]
}

const WAIT = { type: 'walk.wait' }
// A machine that never settles, or has endless situations, must fail the test instead of hanging it.
const MAX_WAIT = DAY
const MAX_MOVES = 100_000

/**
 * Takes a machine by the shortest paths through every reachable situation: each event, each answer and
 * failure of an actor, and the passing of time until it makes a difference. The paths come from the machine
 * as a pure function; a real actor with a simulated clock and fake actors walks them.
 */
export async function walk<Machine extends AnyStateMachine>(settings: WalkSettings<Machine>) {
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
  const start = worldAfter(initialTransition(machine, settings.input), { timers: [], now: 0, ended: [] })
  const movesFrom = ({ snapshot, timers, ended }: World): AnyEventObject[] => {
    if (snapshot.status !== 'active') return []
    const running = Object.values<AnyActorRef>(snapshot.children).filter((child) => !ended.includes(child))
    return [
      ...settings.events(snapshot as SnapshotFrom<Machine>),
      ...running.flatMap(({ id: actorId, src }) => [
        ...(settings.answers[String(src)] ?? []).map((output) => buildDoneEvent(actorId, output)),
        buildErrorEvent(actorId, new Error('no answer')),
      ]),
      ...(timers.length > 0 ? [WAIT] : []),
    ]
  }

  const { blur = (context) => context } = settings
  const buildKey = ({ snapshot, timers, ended }: World) =>
    JSON.stringify([
      snapshot.value,
      blur(snapshot.context),
      timers.map(({ id }) => id),
      Object.values(snapshot.children).map((child) => ended.includes(child)),
    ])
  function* waiting(world: World) {
    let later = world
    do {
      later = afterNextTimer(later)
      yield later
    } while (
      later.timers.length > 0 &&
      buildKey(later) === buildKey(world) &&
      later.now - world.now < MAX_WAIT
    )
  }
  /** The paths share their first steps. */
  const known = new Map<World, Map<AnyEventObject, World>>()
  const next = (world: World, event: AnyEventObject): World => {
    const after = known.get(world) ?? new Map<AnyEventObject, World>()
    known.set(world, after)
    const later =
      after.get(event) ??
      (event.type === WAIT.type ? ([...waiting(world)].at(-1) ?? world) : send(world, event))
    after.set(event, later)
    return later
  }

  const shortest = getShortestPaths(fromTransition(next, start), {
    events: ({ context }) => movesFrom(context),
    serializeState: ({ context }) => buildKey(context),
    limit: MAX_MOVES,
  })
  const paths = shortest.flatMap(({ state, steps }) => {
    const path = steps.slice(1).map(({ event }) => event)
    return movesFrom(state.context).map((move) => [...path, move])
  })

  const taken = new Set<AnyTransitionDefinition>()
  for (const path of paths) {
    const at = path.map(({ type }) => type).join(' > ')
    asked.length = 0
    const clock = new SimulatedClock()
    const actor = createActor(machine, {
      clock,
      input: settings.input,
      inspect: (happened) => {
        for (const definition of getTakenTransitions(happened)) taken.add(definition)
      },
    }).start()
    let world = start
    for (const [index, event] of path.entries()) {
      const before = actor.getSnapshot()
      if (event.type === WAIT.type) {
        // The timers fire one after another, because one that an earlier one sets counts from that moment.
        for (const { now } of waiting(world)) clock.set(now)
      } else if ('actorId' in event) {
        const child = pending.get(event.actorId)
        if ('error' in event) child?.reject(event.error)
        else child?.resolve(event.output)
        await flushQueue()
      } else actor.send(event)
      world = next(world, event)
      // Earlier steps were asserted as the end of a shorter path.
      if (index < path.length - 1) continue
      const after = actor.getSnapshot()
      expect(pickSituation(after), at).toEqual(pickSituation(world.snapshot))
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
    const change = parseTimerChange(action)
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
    // Another timer due at the same moment may have canceled this one.
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

function pickSituation({ status, value, context }: AnyMachineSnapshot) {
  return { status, value, context }
}
