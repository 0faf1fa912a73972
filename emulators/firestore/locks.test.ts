import { beforeEach, describe, expect, test } from 'vitest'
import { createLocks, type LockRequest, type Locks } from './locks.ts'
import type { StoredDocument } from './store.ts'

const documents = new Map<string, StoredDocument>()
const stored = (n: number): StoredDocument => ({
  fields: { n: { integerValue: String(n) } },
  createTime: '',
  updateTime: '',
})
const read = (path: string): LockRequest => ({ kind: 'document', path })
const write = (path: string, n: number | null): LockRequest => ({
  kind: 'write',
  path,
  after: () => (n === null ? null : stored(n)),
})
const isAbove = (min: number): LockRequest => ({
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

const ask = (name: string, ...claims: LockRequest[]) =>
  locks.acquire(holder(name), claims).then(() => {
    granted.push(name)
  })
const settle = () => new Promise((resolve) => setImmediate(resolve))

beforeEach(() => {
  documents.clear()
  locks = createLocks((path) => documents.get(path) ?? null, 60_000)
  granted = []
})

test('grants conflicting locks one at a time, first come first served', async () => {
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

test('locks different documents independently', async () => {
  await Promise.all([ask('t1', read('a/1')), ask('t2', write('a/2', 1))])
  expect(granted).toEqual(['t1', 't2'])
})

test('a holder gets further locks before holders that only wait', async () => {
  await ask('t1', read('a/1'))
  const waiting = ask('t2', write('a/1', 1), write('a/2', 1))
  await ask('t1', read('a/1'), write('a/2', 2))
  expect(granted).toEqual(['t1', 't1'])
  locks.release(holder('t1'))
  await waiting
})

describe('the lock of a query', () => {
  test.each<[string, LockRequest, boolean]>([
    ['conflicts with a write that would add a result', write('a/new', 7), true],
    ['conflicts with a write that would remove a result', write('a/in', null), true],
    ['allows a write of a document that it does not find', write('a/out', 2), false],
    ['conflicts with a read of a result', read('a/in'), true],
    ['allows a read of a document that it does not find', read('a/out'), false],
    ['conflicts with the same query', isAbove(5), true],
    ['allows another query', isAbove(6), false],
  ])('the lock of a query %s', async (_, claim, isHeldUp) => {
    documents.set('a/in', stored(9)).set('a/out', stored(1))
    await ask('t1', isAbove(5))
    const other = ask('t2', claim)
    await settle()
    expect(granted).toEqual(isHeldUp ? ['t1'] : ['t1', 't2'])
    locks.release(holder('t1'))
    await other
  })
})

test('refuses the lock that would make two holders wait for each other', async () => {
  await Promise.all([ask('t1', read('a/1')), ask('t2', read('a/2'))])
  const first = ask('t1', read('a/2'))
  await expect(ask('t2', read('a/1'))).rejects.toEqual(aborted)
  locks.release(holder('t2'))
  await first
})

test('refuses the lock that would make three holders wait in a circle', async () => {
  await Promise.all([ask('t1', read('a/1')), ask('t2', read('a/2')), ask('t3', read('a/3'))])
  const waiting = [ask('t1', write('a/2', 1)), ask('t2', write('a/3', 1))]
  await expect(ask('t3', write('a/1', 1))).rejects.toEqual(aborted)
  locks.release(holder('t3'))
  await waiting[1]
  locks.release(holder('t2'))
  await waiting[0]
})

test('a wait for a lock is aborted after the time limit', async () => {
  locks = createLocks(() => null, 5)
  await ask('t1', read('a/1'))
  await expect(ask('t2', read('a/1'))).rejects.toEqual(aborted)
  const next = ask('t3', read('a/2'))
  await next
  expect(granted).toEqual(['t1', 't3'])
})

test('a holder that releases its locks stops waiting for others', async () => {
  await ask('t1', read('a/1'))
  const waiting = ask('t2', read('a/1'))
  locks.release(holder('t2'))
  await expect(waiting).rejects.toEqual(aborted)
})
