import { beforeEach, describe, expect, test } from 'vitest'
import { type Claim, createLocks, type Locks } from './locks.ts'
import type { StoredDocument } from './store.ts'

const documents = new Map<string, StoredDocument>()
const stored = (n: number): StoredDocument => ({
  fields: { n: { integerValue: String(n) } },
  createTime: '',
  updateTime: '',
})
const read = (path: string): Claim => ({ kind: 'document', path })
const write = (path: string, n: number | null): Claim => ({
  kind: 'write',
  path,
  after: () => (n === null ? null : stored(n)),
})
const isAbove = (min: number): Claim => ({
  kind: 'query',
  key: `n > ${min}`,
  matches: (_, { fields }) =>
    Number(fields.n && 'integerValue' in fields.n ? fields.n.integerValue : 0) > min,
})
const aborted = expect.objectContaining({ status: 'ABORTED' })

let locks: Locks
let granted: string[]
const holders: Record<string, object> = { t1: {}, t2: {}, t3: {} }
const holder = (name: string) => holders[name] ?? {}

/** Asks, and notes when it is granted. */
const ask = (name: string, ...claims: Claim[]) =>
  locks.acquire(holder(name), claims).then(() => {
    granted.push(name)
  })
/** Lets everything that was granted be noted. */
const settle = () => new Promise((resolve) => setImmediate(resolve))

beforeEach(() => {
  documents.clear()
  locks = createLocks((path) => documents.get(path) ?? null, 60_000)
  granted = []
})

test('are granted one after the other, first come first served', async () => {
  const all = [ask('t1', read('a/1')), ask('t2', read('a/1')), ask('t3', write('a/1', 1))]
  await settle()
  expect(granted).toEqual(['t1'])
  locks.release(holder('t1'))
  await settle()
  expect(granted).toEqual(['t1', 't2'])
  locks.release(holder('t2'))
  await Promise.all(all)
  expect(granted).toEqual(['t1', 't2', 't3'])
})

test('of different documents do not wait for each other', async () => {
  await Promise.all([ask('t1', read('a/1')), ask('t2', write('a/2', 1))])
  expect(granted).toEqual(['t1', 't2'])
})

test('can be asked for again by whoever holds them, before those that wait', async () => {
  await ask('t1', read('a/1'))
  const waiting = ask('t2', write('a/1', 1), write('a/2', 1))
  await ask('t1', read('a/1'), write('a/2', 2))
  expect(granted).toEqual(['t1', 't1'])
  locks.release(holder('t1'))
  await waiting
})

describe('a query', () => {
  test.each<[string, Claim, boolean]>([
    ['a write that would bring a document in', write('a/new', 7), true],
    ['a write that would take one out', write('a/in', null), true],
    ['a write of one that stays outside', write('a/out', 2), false],
    ['a read of one inside', read('a/in'), true],
    ['a read of one outside', read('a/out'), false],
    ['the same query', isAbove(5), true],
    ['another query', isAbove(6), false],
  ])('against %s', async (_, claim, isHeldUp) => {
    documents.set('a/in', stored(9)).set('a/out', stored(1))
    await ask('t1', isAbove(5))
    const other = ask('t2', claim)
    await settle()
    expect(granted).toEqual(isHeldUp ? ['t1'] : ['t1', 't2'])
    locks.release(holder('t1'))
    await other
  })
})

test('two that wait for each other: the one that closes the circle is refused', async () => {
  await Promise.all([ask('t1', read('a/1')), ask('t2', read('a/2'))])
  const first = ask('t1', read('a/2'))
  await expect(ask('t2', read('a/1'))).rejects.toEqual(aborted)
  locks.release(holder('t2'))
  await first
})

test('three in a circle', async () => {
  await Promise.all([ask('t1', read('a/1')), ask('t2', read('a/2')), ask('t3', read('a/3'))])
  const waiting = [ask('t1', write('a/2', 1)), ask('t2', write('a/3', 1))]
  await expect(ask('t3', write('a/1', 1))).rejects.toEqual(aborted)
  locks.release(holder('t3'))
  await waiting[1]
  locks.release(holder('t2'))
  await waiting[0]
})

test('nobody waits for ever', async () => {
  locks = createLocks(() => null, 5)
  await ask('t1', read('a/1'))
  await expect(ask('t2', read('a/1'))).rejects.toEqual(aborted)
  const next = ask('t3', read('a/2'))
  await next
  expect(granted).toEqual(['t1', 't3'])
})

test('whoever gives everything back does not wait any longer', async () => {
  await ask('t1', read('a/1'))
  const waiting = ask('t2', read('a/1'))
  locks.release(holder('t2'))
  await expect(waiting).rejects.toEqual(aborted)
})
