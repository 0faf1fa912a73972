import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { WireFields } from '../wire.ts'
import { createTestFirestore, PROJECT, ROOT, update } from './testing.ts'

const int = (n: number) => ({ integerValue: String(n) })
const error = (code: number, status: string, message: unknown = expect.any(String)) => ({
  status: code,
  body: { error: { code, status, message } },
})
const NOON = '2026-01-31T12:00:00.000000Z'

describe('documents by their address', () => {
  test('are read, patched, listed and deleted', async () => {
    const { call } = createTestFirestore()
    const name = `${ROOT}/users/a%20b`
    const document = {
      name: `${ROOT}/users/a b`,
      fields: { n: int(1), m: int(2) },
      createTime: NOON,
      updateTime: NOON,
    }
    expect(await call('GET', name)).toEqual(error(404, 'NOT_FOUND'))
    const created = await call('PATCH', name, { fields: { n: int(1), m: int(2) } })
    expect(created).toEqual({ status: 200, body: document })
    expect(await call('GET', name)).toEqual(created)
    const patched = { ...document, fields: { n: int(3) }, updateTime: NOON.replace('0Z', '1Z') }
    const patch = `${name}?updateMask.fieldPaths=n&updateMask.fieldPaths=m`
    expect(await call('PATCH', patch, { fields: { n: int(3) } })).toEqual({ status: 200, body: patched })
    expect(await call('PATCH', `${ROOT}/users/z?currentDocument.exists=true`, {})).toEqual(
      error(404, 'NOT_FOUND'),
    )
    expect(await call('GET', `${ROOT}/users`)).toEqual({ status: 200, body: { documents: [patched] } })
    expect(await call('DELETE', name)).toEqual({ status: 200, body: {} })
    expect(await call('GET', `${ROOT}/users`)).toEqual({ status: 200, body: { documents: [] } })
  })

  test('an escaped address is the same address', async () => {
    const { commit, call } = createTestFirestore()
    await commit([update('users/a:b', { n: int(1) })])
    const escaped = `projects/${PROJECT}/databases/%28default%29/documents/users/a%3Ab?$alt=json%3Benum-encoding=int`
    expect(await call('GET', escaped)).toMatchObject({ status: 200, body: { fields: { n: int(1) } } })
  })

  test.each([
    [`projects/other/databases/(default)/documents/users/a`, 404, 'NOT_FOUND'],
    [`projects/${PROJECT}/databases/second/documents/users/a`, 404, 'NOT_FOUND'],
    [`${ROOT}/users//a`, 400, 'INVALID_ARGUMENT'],
    [`${ROOT}/users/__a__`, 400, 'INVALID_ARGUMENT'],
  ])('%s: %i', async (path, code, status) => {
    const { call } = createTestFirestore()
    expect(await call('GET', path)).toEqual(error(code, status))
  })
})

describe('times', () => {
  test('of commits only ever grow, by microseconds when the clock stands still or goes back', async () => {
    const { commit, time } = createTestFirestore()
    const times: string[] = []
    for (const step of [0, 0, -5000, 1]) {
      time.now += step
      times.push((await commit([update('a/b', { n: int(times.length) })])).body.commitTime)
    }
    time.now += 5000
    times.push((await commit([])).body.commitTime)
    expect(times).toEqual([
      '2026-01-31T12:00:00.000000Z',
      '2026-01-31T12:00:00.000001Z',
      '2026-01-31T12:00:00.000002Z',
      '2026-01-31T12:00:00.000003Z',
      '2026-01-31T12:00:00.001000Z',
    ])
  })

  test('of a document are kept by a write that changes nothing', async () => {
    const { commit, time } = createTestFirestore()
    await commit([update('a/b', { n: int(1) })])
    time.now += 1000
    expect((await commit([update('a/b', { n: int(1) })])).body.writeResults).toEqual([{ updateTime: NOON }])
    const changed = await commit([update('a/b', { n: int(2) })])
    expect(changed.body.writeResults).toEqual([{ updateTime: changed.body.commitTime }])
  })
})

describe('bills', () => {
  test('reads, results, a query that finds nothing, writes and deletes', async () => {
    const { commit, post, counts, reset } = createTestFirestore()
    const spent = async (work: () => Promise<unknown>) => {
      const before = counts()
      await work()
      return { reads: counts().reads - before.reads, writes: counts().writes - before.writes }
    }
    const many = Array.from({ length: 6 }, (_, i) => update(`many/d${i}`, { n: int(i) }))
    const structuredQuery = (more: object) => ({
      structuredQuery: { from: [{ collectionId: 'many' }], ...more },
    })
    expect(await spent(() => commit(many))).toEqual({ reads: 0, writes: 6 })
    expect(await spent(() => commit([{ delete: `${ROOT}/many/d0` }]))).toEqual({ reads: 0, writes: 1 })
    const get = { documents: [`${ROOT}/many/d1`, `${ROOT}/many/none`] }
    expect(await spent(() => post('batchGet', get))).toEqual({ reads: 2, writes: 0 })
    expect(await spent(() => post('runQuery', structuredQuery({ limit: 3, offset: 2 })))).toEqual({
      reads: 5,
      writes: 0,
    })
    expect(await spent(() => post('runQuery', structuredQuery({ limit: 0 })))).toEqual({
      reads: 1,
      writes: 0,
    })
    expect(
      await spent(() => commit([update('many/d1', {}, { currentDocument: { exists: false } })])),
    ).toEqual({
      reads: 0,
      writes: 0,
    })
    reset()
    expect(counts()).toEqual({ reads: 0, writes: 0 })
  })

  test('what the rules read', async () => {
    const { commit, counts } = createTestFirestore()
    await commit([update('pairs/sum', { total: int(4) })], '')
    expect(counts()).toEqual({ reads: 1, writes: 0 })
  })
})

describe('refusals', () => {
  test('a token that is no good, before anything else is looked at', async () => {
    const { post } = createTestFirestore()
    expect(await post('commit', 'no commit', 'Bearer x.y.z')).toEqual(error(401, 'UNAUTHENTICATED'))
  })

  test('of a stream come in a list', async () => {
    const { post } = createTestFirestore()
    const refused = error(403, 'PERMISSION_DENIED', 'Missing or insufficient permissions.')
    const get = { documents: [`${ROOT}/open/a`, `${ROOT}/secret/a`] }
    expect(await post('batchGet', get, '')).toEqual({ ...refused, body: [refused.body] })
  })

  test.each<[string, unknown]>([
    ['no JSON object', 'text'],
    ['no write at all', { writes: [{}] }],
    ['a bad value', { writes: [update('a/b', { n: { integerValue: 'x' } } as WireFields)] }],
    ['a bad field path', { writes: [update('a/b', {}, { updateMask: { fieldPaths: ['a..b'] } })] }],
    ['a collection for a document', { writes: [update('a', {})] }],
    ['a transform of no kind', { writes: [update('a/b', {}, { updateTransforms: [{ fieldPath: 'n' }] })] }],
    ['a time that is none', { writes: [update('a/b', {}, { currentDocument: { updateTime: 'now' } })] }],
    ['a transaction that is over', { writes: [], transaction: 'AAAA' }],
  ])('a commit with %s', async (_, body) => {
    const { post, documents, unknown } = createTestFirestore()
    expect(await post('commit', body)).toEqual(error(400, 'INVALID_ARGUMENT'))
    expect([documents(), unknown]).toEqual([{}, []])
  })

  test.each<[string, string, string, unknown]>([
    ['a method', 'POST', `${ROOT}:partitionQuery`, {}],
    ['an address', 'GET', `projects/${PROJECT}/databases/(default)/documents`, undefined],
    ['a parameter', 'GET', `${ROOT}/users?orderBy=n`, undefined],
    ['a field of the request', 'POST', `${ROOT}:commit`, { writes: [], labels: {} }],
    ['a kind of write', 'POST', `${ROOT}:commit`, { writes: [{ transform: {} }] }],
    [
      'a kind of query',
      'POST',
      `${ROOT}:runQuery`,
      { structuredQuery: { from: [{ collectionId: 'a', allDescendants: true }] } },
    ],
  ])('%s that is not known is reported', async (_, method, path, body) => {
    const { call, unknown } = createTestFirestore()
    const { status } = await call(method, path, body)
    expect([status, unknown]).toEqual([501, [expect.stringMatching(`^firestore: ${method} `)]])
  })
})

describe('enums', () => {
  test.each([
    ['by name', 'AND', 'GREATER_THAN_OR_EQUAL', 'IS_NOT_NULL', 'DESCENDING', 'REQUEST_TIME'],
    ['by number', 1, 4, 5, 2, 1],
  ])('arrive %s', async (_, and, op, unary, direction, requestTime) => {
    const { commit, post, documents } = createTestFirestore()
    const stamped = { updateTransforms: [{ fieldPath: 'at', setToServerValue: requestTime }] }
    await commit([1, 2, 3].map((n) => update(`a/d${n}`, { n: int(n) }, stamped)))
    expect(documents()['a/d1']).toEqual({ n: 1, at: '2026-01-31T12:00:00Z' })
    const field = { fieldPath: 'n' }
    const filters = [{ fieldFilter: { field, op, value: int(2) } }, { unaryFilter: { field, op: unary } }]
    const { body } = await post('runQuery', {
      structuredQuery: {
        from: [{ collectionId: 'a' }],
        where: { compositeFilter: { op: and, filters } },
        orderBy: [{ field, direction }],
      },
    })
    expect(body.map((one: { document: { name: string } }) => one.document.name)).toEqual([
      `${ROOT}/a/d3`,
      `${ROOT}/a/d2`,
    ])
  })
})

describe('transactions', () => {
  const begin = async ({ post }: ReturnType<typeof createTestFirestore>, options?: object) =>
    (await post('beginTransaction', options ? { options } : {})).body.transaction as string

  test('that do nothing for too long are over, and what they held is free', async () => {
    const firestore = createTestFirestore({ transactionLimits: { idleMs: 5 } })
    const transaction = await begin(firestore)
    await firestore.post('batchGet', { documents: [`${ROOT}/a/b`], transaction })
    expect(await firestore.commit([update('a/b', { n: int(1) })])).toMatchObject({ status: 200 })
    expect(await firestore.post('commit', { writes: [], transaction })).toEqual(
      error(400, 'INVALID_ARGUMENT', expect.stringContaining('transaction has expired')),
    )
  })

  test('a writer does not wait longer than the service lets it', async () => {
    const firestore = createTestFirestore({ transactionLimits: { lockWaitMs: 5 } })
    const transaction = await begin(firestore)
    await firestore.post('batchGet', { documents: [`${ROOT}/a/b`], transaction })
    expect(await firestore.commit([update('a/b', { n: int(1) })])).toEqual(error(409, 'ABORTED'))
    expect(await firestore.post('rollback', { transaction })).toEqual({ status: 200, body: {} })
    expect(await firestore.commit([update('a/b', { n: int(1) })])).toMatchObject({ status: 200 })
  })

  test('that only read do not write', async () => {
    const firestore = createTestFirestore()
    const transaction = await begin(firestore, { readOnly: {} })
    const write = { writes: [update('a/b', {})], transaction }
    expect(await firestore.post('commit', write)).toEqual(error(400, 'INVALID_ARGUMENT'))
    expect(firestore.documents()).toEqual({})
  })

  test('end with a commit that fails', async () => {
    const firestore = createTestFirestore()
    const transaction = await begin(firestore)
    const writes = [update('a/b', {}, { currentDocument: { exists: true } })]
    expect(await firestore.post('commit', { writes, transaction })).toEqual(error(404, 'NOT_FOUND'))
    expect(await firestore.post('commit', { writes: [], transaction })).toEqual(
      error(400, 'INVALID_ARGUMENT'),
    )
  })

  test('a reset ends them all', async () => {
    const firestore = createTestFirestore()
    const transaction = await begin(firestore)
    await firestore.post('batchGet', { documents: [`${ROOT}/a/b`], transaction })
    firestore.reset()
    expect(await firestore.commit([update('a/b', {})])).toMatchObject({ status: 200 })
  })
})

test('a dump holds everything, and commit times go on after it', async () => {
  const old = createTestFirestore()
  await old.commit([update('a/b', { n: int(1), at: { timestampValue: '2026-01-01T00:00:00Z' } })])
  const dump = JSON.parse(JSON.stringify(old.dump()))
  const next = createTestFirestore()
  next.time.now -= 60_000
  next.load(dump)
  expect([next.documents(), next.dump()]).toEqual([old.documents(), old.dump()])
  const { body } = await next.commit([update('a/b', { n: int(2) })])
  expect(body.commitTime).toBe('2026-01-31T12:00:00.000001Z')
})

test('answers pages from other origins, preflight included', async () => {
  const { app } = createTestFirestore()
  const headers = {
    origin: 'http://127.0.0.1:5173',
    'access-control-request-method': 'POST',
    'access-control-request-headers': 'authorization,x-goog-request-params',
  }
  const preflight = await app.request(`http://localhost/v1/${ROOT}:commit`, { method: 'OPTIONS', headers })
  expect(preflight.headers.get('access-control-allow-origin')).toBe('http://127.0.0.1:5173')
  expect(preflight.headers.get('access-control-allow-headers')).toBe('authorization,x-goog-request-params')
  const answer = await app.request(`http://localhost/v1/${ROOT}:commit`, {
    method: 'POST',
    headers,
    body: '{}',
  })
  expect(answer.headers.get('access-control-allow-origin')).toBe('http://127.0.0.1:5173')
})

// Commits against a plain model: each is there whole or not at all.

const oneWrite = fc.record({
  id: fc.constantFrom('a', 'b', 'c'),
  kind: fc.constantFrom('set' as const, 'merge' as const, 'append' as const, 'delete' as const),
  n: fc.integer({ min: -5, max: 5 }),
  exists: fc.option(fc.boolean()),
})
type Model = Map<string, Record<string, number | number[]>>

/** The model after the writes, or null when one of them must not happen. */
function applied(model: Model, writes: readonly ReturnType<typeof toWire>[1][]): Model | null {
  const next = new Map(model)
  for (const { id, kind, n, exists } of writes) {
    const before = next.get(id)
    if (exists !== null && exists !== (before !== undefined)) return null
    if (kind === 'delete') next.delete(id)
    if (kind === 'set') next.set(id, { n })
    if (kind === 'merge') next.set(id, { ...before, m: n })
    if (kind === 'append') {
      const list = Array.isArray(before?.list) ? before.list : []
      next.set(id, { ...before, list: [...new Set([...list, n])] })
    }
  }
  return next
}

function toWire(write: {
  id: string
  kind: 'set' | 'merge' | 'append' | 'delete'
  n: number
  exists: boolean | null
}) {
  const { id, kind, n, exists } = write
  const condition = exists === null ? {} : { currentDocument: { exists } }
  const wire = {
    set: update(`docs/${id}`, { n: int(n) }, condition),
    merge: update(`docs/${id}`, { m: int(n) }, { updateMask: { fieldPaths: ['m'] }, ...condition }),
    append: update(
      `docs/${id}`,
      {},
      {
        updateMask: {},
        updateTransforms: [{ fieldPath: 'list', appendMissingElements: { values: [int(n)] } }],
        ...condition,
      },
    ),
    delete: { delete: `${ROOT}/docs/${id}`, ...condition },
  }[kind]
  return [wire, write] as const
}

test('random commits happen whole or not at all', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.array(oneWrite, { maxLength: 4 }), { maxLength: 8 }), async (commits) => {
      const { commit, documents } = createTestFirestore()
      let model: Model = new Map()
      for (const writes of commits.map((all) => all.map(toWire))) {
        const { status } = await commit(writes.map(([wire]) => wire))
        const next = applied(
          model,
          writes.map(([, write]) => write),
        )
        expect(status === 200).toBe(next !== null)
        model = next ?? model
        expect(documents()).toEqual(
          Object.fromEntries([...model].map(([id, fields]) => [`docs/${id}`, fields])),
        )
      }
    }),
  )
})
