import { expect, type RunnerTestCase, TestRunner } from 'vitest'
import type {
  AnyActorRef,
  AnyEventObject,
  AnyMachineSnapshot,
  AnyStateMachine,
  AnyTransitionDefinition,
  ContextFrom,
  EventFromLogic,
  InputFrom,
  SnapshotFrom,
} from 'xstate'
import { getStateNodes } from 'xstate/graph'
import { DAY } from '../../domain/common/duration.ts'
import {
  buildDoneEvent,
  buildErrorEvent,
  createPureMachine,
  parseSpawn,
  parseTimerChange,
} from './xstateInternals.ts'

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
  readonly asked: readonly Question[]
  /** The types of all actions since the start of this path. */
  readonly executed: readonly string[]
  readonly at: string
}

interface Question {
  readonly src: unknown
  readonly input: unknown
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
  readonly asked: readonly Question[]
  readonly executed: readonly string[]
}

const WAIT = { type: 'walk.wait' }
// A machine that never settles, or has endless situations, must fail the test instead of hanging it.
const MAX_WAIT = DAY
const MAX_MOVES = 100_000

/**
 * Takes a machine by the shortest paths through every reachable situation: each event, each answer and
 * failure of an actor, and the passing of time until it makes a difference. The machine is a pure function
 * here; no actor runs.
 */
export function walk<Machine extends AnyStateMachine>(settings: WalkSettings<Machine>) {
  const { machine, blur = (context) => context } = settings
  const taken = new Set<AnyTransitionDefinition>()
  const pure = createPureMachine(machine, settings.input, (definition) => taken.add(definition))
  const listMoves = ({ snapshot, timers, ended }: World): AnyEventObject[] => {
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
  const buildKey = ({ snapshot, timers, ended }: World) =>
    JSON.stringify([
      snapshot.value,
      blur(snapshot.context),
      timers.map(({ id }) => id),
      Object.values(snapshot.children).map((child) => ended.includes(child)),
    ])

  const send = (world: World, event: AnyEventObject): World => {
    const { snapshot, ended } = world
    return applyActions(pure.send(snapshot, event), {
      ...world,
      ended: 'actorId' in event ? [...ended, snapshot.children[event.actorId]] : ended,
    })
  }
  const passTimer = (world: World): World => {
    const now = Math.min(...world.timers.map(({ at }) => at))
    let later = { ...world, now }
    for (const timer of world.timers.filter(({ at }) => at === now)) {
      // Another timer due at the same moment may have canceled this one.
      if (!later.timers.includes(timer)) continue
      later = send({ ...later, timers: later.timers.filter((other) => other !== timer) }, timer.event)
    }
    return later
  }
  const wait = (world: World): World => {
    const key = buildKey(world)
    let later = world
    do later = passTimer(later)
    while (later.timers.length > 0 && buildKey(later) === key && later.now - world.now < MAX_WAIT)
    return later
  }
  const move = (world: World, event: AnyEventObject) => (event === WAIT ? wait(world) : send(world, event))

  const start = applyActions(pure.start(), { timers: [], now: 0, ended: [], asked: [], executed: [] })
  const known = new Set([buildKey(start)])
  const situations: { world: World; path: readonly string[] }[] = [{ world: start, path: [] }]
  let paths = 0
  for (const { world, path } of situations) {
    for (const event of listMoves(world)) {
      paths += 1
      if (paths > MAX_MOVES) throw new Error(`${machine.id}: more than ${MAX_MOVES} paths`)
      const steps = [...path, event.type]
      const at = steps.join(' > ')
      const later = move(world, event)
      const { snapshot, asked, executed } = later
      // Vitest's `expect` takes longer than the machine, so only a difference is handed to it.
      const again = toText(move(world, event))
      if (again !== toText(later)) expect(again, at).toBe(toText(later))
      if (snapshot.status === 'error') throw new Error(`${at}: the machine fails`, { cause: snapshot.error })
      settings.invariant({
        event,
        before: world.snapshot as SnapshotFrom<Machine>,
        after: snapshot as SnapshotFrom<Machine>,
        asked,
        executed,
        at,
      })
      const key = buildKey(later)
      if (known.has(key)) continue
      known.add(key)
      expect(JSON.parse(JSON.stringify(snapshot.context)), at).toEqual(snapshot.context)
      situations.push({ world: later, path: steps })
    }
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
  return { paths, untaken }
}

function applyActions(
  [snapshot, actions]: ReturnType<ReturnType<typeof createPureMachine>['start']>,
  { timers, asked, executed, ...rest }: Omit<World, 'snapshot'>,
): World {
  let left = timers
  for (const action of actions) {
    const change = parseTimerChange(action)
    if (change?.kind === 'cancel') left = left.filter(({ id }) => id !== change.id)
    if (change?.kind === 'set')
      left = [...left, { id: change.id, at: rest.now + change.delay, event: change.event }]
  }
  const spawned = actions.flatMap((action) => parseSpawn(action) ?? [])
  return {
    ...rest,
    snapshot,
    timers: left,
    asked: [...asked, ...spawned],
    executed: [...executed, ...actions.map(({ type }) => type)],
  }
}

const toText = ({ snapshot: { status, value, context } }: World) => JSON.stringify([status, value, context])
