import { randomInt } from 'node:crypto'
import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, test } from 'vitest'
import { MINUTE } from '../domain/common/duration.ts'
import { createWorld, type World } from '../netlify/testing/world.ts'
import { scheduleArbitrary } from './arbitraries.ts'
import { type Schedule, toRecordedSchedule, toSchedule } from './model.ts'
import { REGRESSIONS } from './regressions.ts'
import { beginSchedule } from './schedules.ts'

let world: World
let other: World
beforeAll(async () => {
  world = await createWorld()
  other = await createWorld({ projectId: 'passerelle-staging', peer: world })
})
beforeEach(() => world.reset())
afterAll(async () => {
  await other.close()
  await world.close()
})

async function runSchedule([setting, todo]: Schedule, at = { world, other }) {
  const schedule = await beginSchedule(at.world, at.other, setting)
  try {
    for (const action of todo) await schedule.act(action)
    await schedule.untilIdle()
  } catch (error) {
    throw new Error(`${schedule.history.join('\n')}\n${error instanceof Error ? error.message : error}`)
  }
}

const { MONEY_RUNS = '100', MONEY_SEED, MONEY_PATH } = process.env
const seed = MONEY_SEED ? Number(MONEY_SEED) : randomInt(2 ** 31)

test.each(Object.entries(REGRESSIONS))(
  'the recorded schedule keeps every money invariant: %s',
  async (_, recorded) => {
    await runSchedule(toSchedule(recorded))
  },
)

/** Time limit of one schedule; the longest takes less on a shared processor. */
const MAX_DURATION = 2 * MINUTE

test('any schedule of actions and faults keeps every money invariant @spec-money', {
  timeout: 0,
}, async () => {
  let count = 0
  const standstill = Promise.withResolvers<never>()
  let watch: NodeJS.Timeout | undefined
  const property = fc.asyncProperty(scheduleArbitrary, async (schedule) => {
    count += 1
    clearTimeout(watch)
    watch = setTimeout(
      () => standstill.reject(new Error(`Stands still: ${JSON.stringify(schedule)}`)),
      MAX_DURATION,
    )
    await runSchedule(schedule)
  })
  const before = process.cpuUsage()
  const checked = fc.check(property, {
    numRuns: Number(MONEY_RUNS),
    seed,
    ...(MONEY_PATH && { path: MONEY_PATH }),
  })
  const result = await Promise.race([checked, standstill.promise]).finally(() => clearTimeout(watch))
  const { user, system } = process.cpuUsage(before)
  const ms = Math.round((user + system) / count / 1000)
  process.stdout.write(`${count} schedules from seed ${seed}, ${ms} ms of processor time each\n`)
  if (!result.failed) return
  const [caught] = result.counterexample ?? []
  const again = `npm run test:money -- --seed ${seed} --path ${result.counterexamplePath}`
  throw new Error(
    `Caught after ${result.numRuns} schedules, made shorter ${result.numShrinks} times; again with\n  ${again}\n${JSON.stringify(caught && toRecordedSchedule(caught))}\n${result.errorInstance instanceof Error ? result.errorInstance.message : ''}`,
  )
})

/** Schedules without delays, because time does not pass over real connections. */
const schedulesWithoutDelays = scheduleArbitrary.map(
  ([setting, todo]): Schedule => [
    { ...setting, latencySeed: null },
    todo.filter((action) => action.do !== 'fails' || action.fault.what.kind !== 'delay'),
  ],
)

test('schedules over real connections keep every money invariant @spec-money', {
  timeout: 0,
}, async () => {
  const connected = await createWorld({ sockets: true })
  const peer = await createWorld({ sockets: true, projectId: 'passerelle-staging', peer: connected })
  for (const schedule of fc.sample(schedulesWithoutDelays, {
    seed,
    numRuns: Math.ceil(Number(MONEY_RUNS) / 20),
  }))
    await runSchedule(schedule, { world: connected, other: peer })
  await peer.close()
  await connected.close()
})
