import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { buildUpdate, createTestFirestore, DOCUMENTS_ROOT, PROJECT_ID } from '../testing/firestore.ts'
import type { WireFields, WireValue } from '../wire.ts'

const int = (n: number) => ({ integerValue: String(n) })
const error = (code: number, status: string, message: unknown = expect.any(String)) => ({
  status: code,
  body: { error: { code, status, message } },
})
const NULL = { nullValue: null }
const NOON = '2026-01-31T12:00:00.000000Z'

describe('documents by their URL', () => {
  test('the REST API reads and patches documents by URL', async () => {
    const { call } = createTestFirestore()
    const name = `${DOCUMENTS_ROOT}/users/a%20b`
    const document = {
      name: `${DOCUMENTS_ROOT}/users/a b`,
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
    expect(await call('PATCH', `${DOCUMENTS_ROOT}/users/z?currentDocument.exists=true`, {})).toEqual(
      error(404, 'NOT_FOUND'),
    )
  })

  test('the REST API finds a document by its escaped URL', async () => {
    const { documents, call } = createTestFirestore()
    const escaped = `projects/${PROJECT_ID}/databases/%28default%29/documents/users/a%3Ab?$alt=json%3Benum-encoding=int`
    expect((await call('PATCH', escaped, { fields: { n: int(1) } })).status).toBe(200)
    expect(documents()).toEqual({ 'users/a:b': { n: 1 } })
  })

  test.each([
    [`projects/other/databases/(default)/documents/users/a`, 404, 'NOT_FOUND'],
    [`projects/${PROJECT_ID}/databases/second/documents/users/a`, 404, 'NOT_FOUND'],
    [`${DOCUMENTS_ROOT}/users//a`, 400, 'INVALID_ARGUMENT'],
    [`${DOCUMENTS_ROOT}/users/__a__`, 400, 'INVALID_ARGUMENT'],
  ])('a request for the document %s returns %i %s', async (path, code, status) => {
    const { call } = createTestFirestore()
    expect(await call('PATCH', path, {})).toEqual(error(code, status))
  })
})

describe('commit and update times', () => {
  test('each commit is later, even if the clock goes back', async () => {
    const { commit, time } = createTestFirestore()
    const times: string[] = []
    for (const step of [0, 0, -5000, 1]) {
      time.now += step
      times.push((await commit([buildUpdate('a/b', { n: int(times.length) })])).body.commitTime)
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

  test('a write that changes nothing keeps the update time of the document', async () => {
    const { commit, time } = createTestFirestore()
    await commit([buildUpdate('a/b', { n: int(1) })])
    time.now += 1000
    expect((await commit([buildUpdate('a/b', { n: int(1) })])).body.writeResults).toEqual([
      { updateTime: NOON },
    ])
    const changed = await commit([buildUpdate('a/b', { n: int(2) })])
    expect(changed.body.writeResults).toEqual([{ updateTime: changed.body.commitTime }])
  })
})

describe('billing', () => {
  test('the bill counts document reads, query results, empty queries, writes and deletes', async () => {
    const { commit, post, counts, reset } = createTestFirestore()
    const spent = async (work: () => Promise<unknown>) => {
      const before = counts()
      await work()
      return { reads: counts().reads - before.reads, writes: counts().writes - before.writes }
    }
    const many = Array.from({ length: 6 }, (_, i) => buildUpdate(`many/d${i}`, { n: int(i) }))
    const structuredQuery = (more: object) => ({
      structuredQuery: { from: [{ collectionId: 'many' }], ...more },
    })
    expect(await spent(() => commit(many))).toEqual({ reads: 0, writes: 6 })
    expect(await spent(() => commit([{ delete: `${DOCUMENTS_ROOT}/many/d0` }]))).toEqual({
      reads: 0,
      writes: 1,
    })
    const get = { documents: [`${DOCUMENTS_ROOT}/many/d1`, `${DOCUMENTS_ROOT}/many/none`] }
    expect(await spent(() => post('batchGet', get))).toEqual({ reads: 2, writes: 0 })
    expect(await spent(() => post('runQuery', structuredQuery({ limit: 3 })))).toEqual({
      reads: 3,
      writes: 0,
    })
    expect(await spent(() => post('runQuery', structuredQuery({ limit: 0 })))).toEqual({
      reads: 1,
      writes: 0,
    })
    expect(
      await spent(() => commit([buildUpdate('many/d1', {}, { currentDocument: { exists: false } })])),
    ).toEqual({
      reads: 0,
      writes: 0,
    })
    reset()
    expect(counts()).toEqual({ reads: 0, writes: 0 })
  })

  test('the bill counts documents that the rules read', async () => {
    const { commit, counts } = createTestFirestore()
    await commit([buildUpdate('pairs/sum', { total: int(4) })], '')
    expect(counts()).toEqual({ reads: 1, writes: 0 })
  })
})

const buildQuery = (more: object) => ({ structuredQuery: { from: [{ collectionId: 'a' }], ...more } })
const field = { fieldPath: 'n' }
const differs = { field, op: 'NOT_EQUAL', value: int(1) }
const isNotANumber = { field, op: 'IS_NAN' }
const either = { op: 'OR', filters: [] }
const BYTES = { bytesValue: 'AA==' } as unknown as WireValue

describe('refused and unsupported calls', () => {
  test('the Firestore emulator refuses an invalid token before it checks the request', async () => {
    const { post } = createTestFirestore()
    expect(await post('commit', 'no commit', 'Bearer x.y.z')).toEqual(error(401, 'UNAUTHENTICATED'))
  })

  test('a streaming call’s error is wrapped in a list', async () => {
    const { post } = createTestFirestore()
    const refused = error(403, 'PERMISSION_DENIED', 'Missing or insufficient permissions.')
    const get = { documents: [`${DOCUMENTS_ROOT}/open/a`, `${DOCUMENTS_ROOT}/secret/a`] }
    expect(await post('batchGet', get, '')).toEqual({ ...refused, body: [refused.body] })
  })

  test.each<[string, unknown]>([
    ['a body that is not an object', 'text'],
    ['an empty write', { writes: [{}] }],
    ['an invalid value', { writes: [buildUpdate('a/b', { n: { integerValue: 'x' } } as WireFields)] }],
    ['an invalid field path', { writes: [buildUpdate('a/b', {}, { updateMask: { fieldPaths: ['a..b'] } })] }],
    ['the name of a collection', { writes: [buildUpdate('a', {})] }],
    [
      'a transform without a kind',
      { writes: [buildUpdate('a/b', {}, { updateTransforms: [{ fieldPath: 'n' }] })] },
    ],
    ['an invalid time', { writes: [buildUpdate('a/b', {}, { currentDocument: { updateTime: 'now' } })] }],
    ['an unknown transaction', { writes: [], transaction: 'AAAA' }],
  ])('the Firestore emulator refuses a commit with %s', async (_, body) => {
    const { post, documents, unknown } = createTestFirestore()
    expect(await post('commit', body)).toEqual(error(400, 'INVALID_ARGUMENT'))
    expect([documents(), unknown]).toEqual([{}, []])
  })

  test.each<[string, string, string, unknown]>([
    ['method', 'POST', `${DOCUMENTS_ROOT}:partitionQuery`, {}],
    ['path', 'PATCH', DOCUMENTS_ROOT, {}],
    ['list', 'GET', `${DOCUMENTS_ROOT}/users`, undefined],
    ['deletion', 'DELETE', `${DOCUMENTS_ROOT}/users/a`, undefined],
    ['parameter', 'PATCH', `${DOCUMENTS_ROOT}/users/a?currentDocument.updateTime=n`, {}],
    ['request field', 'POST', `${DOCUMENTS_ROOT}:commit`, { writes: [], labels: {} }],
    ['kind of write', 'POST', `${DOCUMENTS_ROOT}:commit`, { writes: [{ transform: {} }] }],
    [
      'kind of query',
      'POST',
      `${DOCUMENTS_ROOT}:runQuery`,
      { structuredQuery: { from: [{ collectionId: 'a', allDescendants: true }] } },
    ],
    ['query field', 'POST', `${DOCUMENTS_ROOT}:runQuery`, buildQuery({ offset: 1 })],
    ['cursor', 'POST', `${DOCUMENTS_ROOT}:runQuery`, buildQuery({ startAt: { before: true } })],
    ['field filter', 'POST', `${DOCUMENTS_ROOT}:runQuery`, buildQuery({ where: { fieldFilter: differs } })],
    [
      'unary filter',
      'POST',
      `${DOCUMENTS_ROOT}:runQuery`,
      buildQuery({ where: { unaryFilter: isNotANumber } }),
    ],
    [
      'composite filter',
      'POST',
      `${DOCUMENTS_ROOT}:runQuery`,
      buildQuery({ where: { compositeFilter: either } }),
    ],
    ['type of value', 'POST', `${DOCUMENTS_ROOT}:commit`, { writes: [buildUpdate('a/b', { n: BYTES })] }],
  ])(
    'the Firestore emulator answers 501 to an unsupported %s and reports it',
    async (_, method, path, body) => {
      const { call, unknown } = createTestFirestore()
      const { status } = await call(method, path, body)
      expect([status, unknown]).toEqual([501, [expect.stringMatching(`^firestore: ${method} `)]])
    },
  )
})

describe('enums', () => {
  test.each([
    ['by name', 'AND', 'GREATER_THAN_OR_EQUAL', 'IS_NULL', 'DESCENDING', 'REQUEST_TIME'],
    ['by number', 1, 4, 3, 2, 1],
  ])('the Firestore emulator accepts enums %s', async (_, and, op, unary, direction, requestTime) => {
    const fields = [{ fieldPath: 'none' }, { fieldPath: 'n', order: 'DESCENDING' }].map((one) => ({
      order: 'ASCENDING',
      ...one,
    }))
    const { commit, post, documents } = createTestFirestore({
      indexes: { indexes: [{ collectionGroup: 'a', queryScope: 'COLLECTION', fields }] },
    })
    const stamped = { updateTransforms: [{ fieldPath: 'at', setToServerValue: requestTime }] }
    await commit([1, 2, 3].map((n) => buildUpdate(`a/d${n}`, { n: int(n), none: NULL }, stamped)))
    expect(documents()['a/d1']).toEqual({ n: 1, none: null, at: '2026-01-31T12:00:00Z' })
    const field = { fieldPath: 'n' }
    const filters = [
      { fieldFilter: { field, op, value: int(2) } },
      { unaryFilter: { field: { fieldPath: 'none' }, op: unary } },
    ]
    const { body } = await post('runQuery', {
      structuredQuery: {
        from: [{ collectionId: 'a' }],
        where: { compositeFilter: { op: and, filters } },
        orderBy: [{ field, direction }],
      },
    })
    expect(body.map((one: { document: { name: string } }) => one.document.name)).toEqual([
      `${DOCUMENTS_ROOT}/a/d3`,
      `${DOCUMENTS_ROOT}/a/d2`,
    ])
  })
})

describe('transactions', () => {
  const begin = async ({ post }: ReturnType<typeof createTestFirestore>, options?: object) =>
    (await post('beginTransaction', options ? { options } : {})).body.transaction as string

  test('an idle transaction ends and releases its locks', async () => {
    const firestore = createTestFirestore({ transactionLimits: { idleMs: 5 } })
    const transaction = await begin(firestore)
    await firestore.post('batchGet', { documents: [`${DOCUMENTS_ROOT}/a/b`], transaction })
    expect(await firestore.commit([buildUpdate('a/b', { n: int(1) })])).toMatchObject({ status: 200 })
    expect(await firestore.post('commit', { writes: [], transaction })).toEqual(
      error(400, 'INVALID_ARGUMENT', expect.stringContaining('transaction has expired')),
    )
  })

  test('a write that waits too long for a transaction is aborted', async () => {
    const firestore = createTestFirestore({ transactionLimits: { lockWaitMs: 5 } })
    const transaction = await begin(firestore)
    await firestore.post('batchGet', { documents: [`${DOCUMENTS_ROOT}/a/b`], transaction })
    expect(await firestore.commit([buildUpdate('a/b', { n: int(1) })])).toEqual(error(409, 'ABORTED'))
    expect(await firestore.post('rollback', { transaction })).toEqual({ status: 200, body: {} })
    expect(await firestore.commit([buildUpdate('a/b', { n: int(1) })])).toMatchObject({ status: 200 })
  })

  test('a read-only transaction refuses writes', async () => {
    const firestore = createTestFirestore()
    const transaction = await begin(firestore, { readOnly: {} })
    const write = { writes: [buildUpdate('a/b', {})], transaction }
    expect(await firestore.post('commit', write)).toEqual(error(400, 'INVALID_ARGUMENT'))
    expect(firestore.documents()).toEqual({})
  })

  test('a transaction ends when its commit fails', async () => {
    const firestore = createTestFirestore()
    const transaction = await begin(firestore)
    const writes = [buildUpdate('a/b', {}, { currentDocument: { exists: true } })]
    expect(await firestore.post('commit', { writes, transaction })).toEqual(error(404, 'NOT_FOUND'))
    expect(await firestore.post('commit', { writes: [], transaction })).toEqual(
      error(400, 'INVALID_ARGUMENT'),
    )
  })

  test('resetting the Firestore emulator ends all transactions', async () => {
    const firestore = createTestFirestore()
    const transaction = await begin(firestore)
    await firestore.post('batchGet', { documents: [`${DOCUMENTS_ROOT}/a/b`], transaction })
    firestore.reset()
    expect(await firestore.commit([buildUpdate('a/b', {})])).toMatchObject({ status: 200 })
  })
})

test('the Firestore emulator continues from a dump, with later commit times', async () => {
  const old = createTestFirestore()
  await old.commit([buildUpdate('a/b', { n: int(1), at: { timestampValue: '2026-01-01T00:00:00Z' } })])
  const dump = JSON.parse(JSON.stringify(old.dump()))
  const next = createTestFirestore()
  next.time.now -= 60_000
  next.load(dump)
  expect([next.documents(), next.dump()]).toEqual([old.documents(), old.dump()])
  const { body } = await next.commit([buildUpdate('a/b', { n: int(2) })])
  expect(body.commitTime).toBe('2026-01-31T12:00:00.000001Z')
})

test('the Firestore emulator allows requests from other origins, preflight included', async () => {
  const { app } = createTestFirestore()
  const headers = {
    origin: 'http://127.0.0.1:5173',
    'access-control-request-method': 'POST',
    'access-control-request-headers': 'authorization,x-goog-request-params',
  }
  const preflight = await app.request(`http://localhost/v1/${DOCUMENTS_ROOT}:commit`, {
    method: 'OPTIONS',
    headers,
  })
  expect(preflight.headers.get('access-control-allow-origin')).toBe('http://127.0.0.1:5173')
  expect(preflight.headers.get('access-control-allow-headers')).toBe('authorization,x-goog-request-params')
  const answer = await app.request(`http://localhost/v1/${DOCUMENTS_ROOT}:commit`, {
    method: 'POST',
    headers,
    body: '{}',
  })
  expect(answer.headers.get('access-control-allow-origin')).toBe('http://127.0.0.1:5173')
})

// Property test: a plain model predicts which commits are applied, and the documents after each of them.

const oneWrite = fc.record({
  id: fc.constantFrom('a', 'b', 'c'),
  kind: fc.constantFrom('set' as const, 'merge' as const, 'append' as const, 'delete' as const),
  n: fc.integer({ min: -5, max: 5 }),
  exists: fc.option(fc.boolean()),
})
type Model = Map<string, Record<string, number | number[]>>

/** Null if one of the writes must be refused. */
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
    set: buildUpdate(`docs/${id}`, { n: int(n) }, condition),
    merge: buildUpdate(`docs/${id}`, { m: int(n) }, { updateMask: { fieldPaths: ['m'] }, ...condition }),
    append: buildUpdate(
      `docs/${id}`,
      {},
      {
        updateMask: {},
        updateTransforms: [{ fieldPath: 'list', appendMissingElements: { values: [int(n)] } }],
        ...condition,
      },
    ),
    delete: { delete: `${DOCUMENTS_ROOT}/docs/${id}`, ...condition },
  }[kind]
  return [wire, write] as const
}

test('the Firestore emulator applies random commits entirely or not at all', async () => {
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
