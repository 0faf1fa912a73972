import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type Chore, type ChoreLimits, type DueItem, runChores } from './chores.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const wait = (ms: number) => new Promise<void>((resolve) => void setTimeout(resolve, ms))
const never = () => new Promise<never>(() => {})

const toItem = (id: string): DueItem => ({ id, account: id.replace(/\d+$/, '') })
const many = (account: string, count: number) => Array.from({ length: count }, (_, n) => `${account}${n + 1}`)

interface Options extends Partial<Chore<DueItem>> {
  readonly ms?: number
}

function createRun() {
  const startedAt = Date.now()
  const elapsed = () => Date.now() - startedAt
  const begun: string[] = []
  const report = { outcomes: {} as Record<string, number>, failed: [] as string[], leftOver: {} as object }
  let atOnce = 0
  let most = 0

  return {
    begun,
    report,
    elapsed,
    most: () => most,
    chore: (name: string, pages: readonly (readonly string[])[], { ms = 100, ...rest }: Options = {}) => ({
      name,
      provider: 'stripe',
      async *due() {
        for (const page of pages) yield page.map(toItem)
      },
      async handle({ id }: DueItem) {
        begun.push(id)
        atOnce += 1
        most = Math.max(most, atOnce)
        await wait(ms)
        atOnce -= 1
        return 'done' as string | null
      },
      ...rest,
    }),
    async run(chores: readonly Chore<DueItem>[], limits: Partial<ChoreLimits> = {}) {
      const deadline = new AbortController()
      setTimeout(() => deadline.abort(), 27_000)
      const done = runChores(
        chores,
        {
          atOnce: { stripe: 4, mtn: 2 },
          perAccount: 2,
          elapsed,
          stopAt: 22_000,
          deadline: deadline.signal,
          ...limits,
        },
        {
          count: (outcome) => {
            report.outcomes[outcome] = (report.outcomes[outcome] ?? 0) + 1
          },
          failed: (chore) => void report.failed.push(chore),
          leftOver: (chore, items) => Object.assign(report.leftOver, { [chore]: items }),
        },
      )
      let endedAt = Number.NaN
      const ended = done.then(() => {
        endedAt = elapsed()
      })
      await vi.advanceTimersByTimeAsync(60_000)
      await ended
      return endedAt
    },
  }
}

test('the chores handle as many items concurrently as their provider allows', async () => {
  const { run, chore, most, report } = createRun()
  const users = Array.from({ length: 40 }, (_, n) => `user${String.fromCharCode(97 + (n % 26))}${n}`)
  expect(await run([chore('refunds', [users])])).toBe(1_000)
  expect([most(), report.outcomes]).toEqual([4, { done: 40 }])
})

test('the chores begin items in the order in which they became due', async () => {
  const { run, chore, begun } = createRun()
  await run([chore('refunds', [['ada1', 'bob1', 'cleo1']])], { atOnce: { stripe: 1 } })
  expect(begun).toEqual(['ada1', 'bob1', 'cleo1'])
})

test('an account with many items delays no other account', async () => {
  const { run, chore, begun } = createRun()
  await run([chore('attempts', [[...many('mallory', 100), 'ada1', 'bob1']])], { atOnce: { stripe: 1 } })
  expect(begun.slice(0, 4)).toEqual(['mallory1', 'ada1', 'bob1', 'mallory2'])
  expect(begun).toHaveLength(102)
})

test('an account’s items run as concurrently as the limits allow', async () => {
  const { run, chore, most } = createRun()
  await run([chore('attempts', [many('mallory', 10)])])
  expect(most()).toBe(2)
})

test('a chore with many items delays no other chore', async () => {
  const { run, chore, begun } = createRun()
  await run([chore('attempts', [many('ada', 100)]), chore('refunds', [['bob1', 'cleo1']])])
  expect(begun.slice(0, 4).sort()).toEqual(['ada1', 'ada2', 'bob1', 'cleo1'])
})

test('a chore whose items never finish does not block the other chores', async () => {
  const { run, chore, report } = createRun()
  const stuck = chore('deliveries', [['ada1', 'bob1', 'cleo1', 'dan1', 'eve1']], { handle: never })
  expect(await run([stuck, chore('refunds', [many('finn', 50)])])).toBe(27_000)
  expect(report).toEqual({ outcomes: { done: 50 }, failed: [], leftOver: { deliveries: 5 } })
})

test('an unfinished chore leaves capacity to later chores', async () => {
  const { run, chore, report } = createRun()
  const stuck = chore('orders', [['ada1', 'bob1', 'cleo1']], { provider: 'mtn', handle: never })
  const later = chore('checks', [], {
    provider: 'mtn',
    async *due() {
      await wait(50)
      yield many('finn', 20).map(toItem)
    },
  })
  expect(await run([stuck, later])).toBe(27_000)
  expect(report).toEqual({ outcomes: { done: 20 }, failed: [], leftOver: { orders: 3 } })
})

test('a silent provider delays no item of another provider', async () => {
  const { run, chore, report } = createRun()
  const silent = chore('refunds', [['ada1', 'bob1', 'cleo1', 'dan1', 'eve1']], { handle: never })
  await run([silent, chore('deliveries', [['finn1', 'gil1']], { provider: 'mtn' })])
  expect(report.outcomes).toEqual({ done: 2 })
})

test('no item begins after the stop, and the rest is reported', async () => {
  const { run, chore, report, begun } = createRun()
  const slow = chore('refunds', [many('ada', 10)], { ms: 10_000 })
  expect(await run([slow], { atOnce: { stripe: 1 } })).toBe(27_000)
  expect(begun).toHaveLength(3)
  expect(report).toEqual({ outcomes: { done: 2 }, failed: [], leftOver: { refunds: 8 } })
})

test('the chores end at the deadline during a page', async () => {
  const { run, chore, report } = createRun()
  const due = async function* () {
    yield await never()
  }
  expect(await run([chore('refunds', [], { due })])).toBe(27_000)
  expect(report).toEqual({ outcomes: {}, failed: [], leftOver: { refunds: 1 } })
})

test('an item aborted by the deadline is left over, not failed', async () => {
  const { run, chore, report } = createRun()
  const deadline = new AbortController()
  setTimeout(() => deadline.abort(), 50)
  const handle = () =>
    new Promise<never>((_, reject) =>
      deadline.signal.addEventListener('abort', () => reject(new Error('Aborted'))),
    )
  expect(await run([chore('refunds', [['ada1']], { handle })], { deadline: deadline.signal })).toBe(50)
  expect(report).toEqual({ outcomes: {}, failed: [], leftOver: { refunds: 1 } })
})

test('a failing item or page stops no other', async () => {
  const { run, chore, report } = createRun()
  const handle = async ({ id }: DueItem) => {
    if (id === 'ada1') throw new Error('Broken')
    return 'done'
  }
  const due = () => {
    throw new Error('No index')
  }
  await run([
    chore('attempts', [['ada1', 'bob1']], { handle }),
    chore('customers', [], {
      async *due() {
        yield due()
      },
    }),
    chore('refunds', [['ada1']]),
  ])
  expect(report).toEqual({ outcomes: { done: 2 }, failed: ['customers', 'attempts'], leftOver: {} })
})

test('a chore reads the next page after the previous items', async () => {
  const { run, chore, begun } = createRun()
  const read: string[][] = []
  await run([
    chore('events', [], {
      async *due() {
        for (const page of [['ada1', 'bob1'], [], ['cleo1']]) {
          read.push([...begun])
          yield page.map(toItem)
        }
      },
    }),
  ])
  expect(read).toEqual([[], ['ada1', 'bob1'], ['ada1', 'bob1']])
  expect(begun).toEqual(['ada1', 'bob1', 'cleo1'])
})

test('a chore’s generator is closed in time to store progress', async () => {
  const { run, chore, begun } = createRun()
  let stored = ''
  await run(
    [
      chore('events', [], {
        ms: 20_000,
        async *due() {
          try {
            yield ['ada1', 'bob1', 'cleo1'].map(toItem)
          } finally {
            await wait(100)
            stored = begun.join()
          }
        },
      }),
    ],
    { atOnce: { stripe: 1 }, stopAt: 20_000 },
  )
  expect(stored).toBe('ada1')
})

test('items created by items follow in another round, once', async () => {
  const { run, chore, begun } = createRun()
  const debts = ['ada1']
  const handle = async ({ id }: DueItem) => {
    begun.push(id)
    debts.push('bob1')
    return 'owed'
  }
  await run([
    chore('refunds', [], {
      isFed: true,
      async *due() {
        yield debts.map(toItem)
      },
    }),
    chore('attempts', [['cleo1']], { handle }),
  ])
  expect(begun).toEqual(['ada1', 'cleo1', 'bob1'])
})
