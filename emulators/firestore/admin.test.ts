import { cert, deleteApp, initializeApp } from 'firebase-admin/app'
import {
  FieldPath,
  FieldValue,
  type Firestore,
  initializeFirestore,
  type Query,
  Timestamp,
} from 'firebase-admin/firestore'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { PROJECT_ID, SERVICE_ACCOUNT, serveTestFirestore } from '../testing/firestore.ts'

const INDEXES = {
  indexes: [
    {
      collectionGroup: 'payments',
      queryScope: 'COLLECTION',
      fields: [
        { fieldPath: 'user', order: 'ASCENDING' },
        { fieldPath: 'at', order: 'DESCENDING' },
      ],
    },
    {
      collectionGroup: 'payments',
      queryScope: 'COLLECTION',
      fields: [
        { fieldPath: 'user', order: 'ASCENDING' },
        { fieldPath: 'at', order: 'ASCENDING' },
      ],
    },
    {
      collectionGroup: 'payments',
      queryScope: 'COLLECTION',
      fields: [
        { fieldPath: 'user', order: 'ASCENDING' },
        { fieldPath: 'cents', order: 'ASCENDING' },
      ],
    },
  ],
}

let emulator: Awaited<ReturnType<typeof serveTestFirestore>>
let db: Firestore
let stop: () => Promise<void>

beforeEach(async () => {
  emulator = await serveTestFirestore({ indexes: INDEXES, transactionLimits: { lockWaitMs: 5_000 } })
  vi.stubEnv('FIRESTORE_EMULATOR_HOST', emulator.host)
  vi.stubEnv('METADATA_SERVER_DETECTION', 'none')
  const app = initializeApp({ credential: cert(SERVICE_ACCOUNT), projectId: PROJECT_ID }, emulator.host)
  db = initializeFirestore(app, { preferRest: true })
  stop = () => deleteApp(app)
})

afterEach(async () => {
  vi.unstubAllEnvs()
  await stop()
  await emulator.close()
  expect(emulator.unknown).toEqual([])
})

describe('documents', () => {
  test('the admin SDK reads every type of value as it was written', async () => {
    const value = {
      nothing: null,
      yes: true,
      whole: 9007199254740991,
      half: 0.5,
      infinite: Number.POSITIVE_INFINITY,
      text: 'Kaloum «é» 🌍',
      at: Timestamp.fromMillis(Date.UTC(2026, 0, 1, 0, 0, 0, 7)),
      list: [1, 'two', { three: [3] }],
      nested: { deeper: { 'odd name.': 1 } },
      reference: db.doc('users/b'),
    }
    await db.doc('users/a').set(value)
    const snapshot = await db.doc('users/a').get()
    expect(snapshot.data()).toEqual(value)
    expect(snapshot.createTime?.toMillis()).toBe(emulator.time.now)
    expect((await db.doc('users/none').get()).exists).toBe(false)
  })

  test('an update sets, deletes and transforms only the named fields', async () => {
    const document = db.doc('users/a')
    await document.set({ keep: 1, gone: 2, map: { a: 1, b: 2 }, list: ['a'] })
    await document.update({
      gone: FieldValue.delete(),
      'map.b': 3,
      list: FieldValue.arrayUnion('a', 'b'),
      at: FieldValue.serverTimestamp(),
    })
    expect(emulator.documents()).toEqual({
      'users/a': { keep: 1, map: { a: 1, b: 3 }, list: ['a', 'b'], at: '2026-01-31T12:00:00Z' },
    })
    await document.set({ map: { c: 4 } }, { merge: true })
    expect(emulator.documents()['users/a']).toEqual({
      keep: 1,
      map: { a: 1, b: 3, c: 4 },
      list: ['a', 'b'],
      at: '2026-01-31T12:00:00Z',
    })
  })

  test('a failed precondition refuses a write with the SDK’s status', async () => {
    const document = db.doc('users/a')
    await expect(document.update({ n: 1 })).rejects.toMatchObject({ code: 5 })
    const { writeTime } = await document.create({ n: 1 })
    await expect(document.create({ n: 2 })).rejects.toMatchObject({ code: 6 })
    await document.update({ n: 2 }, { lastUpdateTime: writeTime })
    await expect(document.update({ n: 3 }, { lastUpdateTime: writeTime })).rejects.toMatchObject({ code: 9 })
    await document.delete({ exists: true })
    await expect(document.delete({ exists: true })).rejects.toMatchObject({ code: 5 })
    expect(emulator.documents()).toEqual({})
  })

  test('a batch with a failing write changes nothing', async () => {
    await db.doc('users/b').set({ n: 1 })
    const batch = db.batch().set(db.doc('users/a'), { n: 1 }).create(db.doc('users/b'), { n: 2 })
    await expect(batch.commit()).rejects.toMatchObject({ code: 6 })
    expect(emulator.documents()).toEqual({ 'users/b': { n: 1 } })
  })

  test('getAll returns documents in the requested order', async () => {
    await db.doc('users/a').set({ n: 1 })
    const snapshots = await db.getAll(db.doc('users/z'), db.doc('users/a'))
    expect(snapshots.map((one) => [one.id, one.data()])).toEqual([
      ['z', undefined],
      ['a', { n: 1 }],
    ])
  })
})

describe('queries', () => {
  const ids = async (query: Query) => (await query.get()).docs.map(({ id }) => id)

  beforeEach(async () => {
    const batch = db.batch()
    for (const [id, data] of Object.entries({
      p1: { user: 'ana', cents: 100, at: 1, tags: ['x'] },
      p2: { user: 'ana', cents: 250, at: 3, tags: ['x', 'y'] },
      p3: { user: 'ben', cents: 999, at: 2, tags: [] },
      p4: { user: 'ana', cents: 50, at: 2 },
    }))
      batch.set(db.collection('payments').doc(id), data)
    await batch.commit()
  })

  test('a query applies filters, orders, limits and cursors', async () => {
    const payments = db.collection('payments')
    const anas = payments.where('user', '==', 'ana').orderBy('at', 'desc')
    expect(await ids(payments)).toEqual(['p1', 'p2', 'p3', 'p4'])
    expect(await ids(anas)).toEqual(['p2', 'p4', 'p1'])
    expect(await ids(anas.limit(1))).toEqual(['p2'])
    const first = await anas.limit(1).get()
    expect(await ids(anas.startAfter(first.docs[0]))).toEqual(['p4', 'p1'])
    expect(await ids(payments.where('cents', '>', 50).where('cents', '<=', 250))).toEqual(['p1', 'p2'])
    expect(await ids(payments.where('cents', 'in', [50, 999]))).toEqual(['p3', 'p4'])
    expect(await ids(payments.where('tags', 'array-contains', 'x'))).toEqual(['p1', 'p2'])
    expect(await ids(payments.where('tags', 'array-contains-any', ['y', 'z']))).toEqual(['p2'])
    expect(await ids(payments.where(FieldPath.documentId(), '>', 'p2'))).toEqual(['p3', 'p4'])
  })

  test('refuses a query whose composite index is missing', async () => {
    const query = db.collection('payments').where('user', '==', 'ana').orderBy('cents', 'desc')
    await expect(query.get()).rejects.toMatchObject({
      code: 9,
      message: expect.stringContaining('The query requires an index. You can create it here: https://'),
    })
  })
})

describe('transactions', () => {
  const increment = () =>
    db.runTransaction(async (transaction) => {
      const document = db.doc('counters/a')
      const snapshot = await transaction.get(document)
      transaction.set(document, { n: (snapshot.data()?.n ?? 0) + 1 })
    })

  test('50 simultaneous transactions lose no increment', async () => {
    await Promise.all(Array.from({ length: 50 }, increment))
    expect(emulator.documents()).toEqual({ 'counters/a': { n: 50 } })
  })

  test('one of three transactions on an empty query writes', async () => {
    const month = db.collection('reservations').where('month', '==', '2026-01')
    const reserve = (id: string) =>
      db.runTransaction(async (transaction) => {
        const { size } = await transaction.get(month)
        if (size === 0) transaction.create(db.doc(`reservations/${id}`), { month: '2026-01' })
      })
    await Promise.all(['a', 'b', 'c'].map(reserve))
    expect(Object.keys(emulator.documents())).toHaveLength(1)
  })

  test('a plain write waits for the transaction that read the document', async () => {
    await db.doc('counters/a').set({ n: 1 })
    let plain = Promise.resolve<unknown>(undefined)
    await db.runTransaction(async (transaction) => {
      const { n } = (await transaction.get(db.doc('counters/a'))).data() as { n: number }
      plain = db.doc('counters/a').update({ plain: true })
      await db.doc('counters/b').get()
      transaction.update(db.doc('counters/a'), { n: n + 1 })
    })
    await plain
    expect(emulator.documents()).toEqual({ 'counters/a': { n: 2, plain: true } })
  })

  test('transactions that lock documents in opposite orders all succeed', async () => {
    const move = (from: string, to: string) =>
      db.runTransaction(async (transaction) => {
        const a = await transaction.get(db.doc(`accounts/${from}`))
        const b = await transaction.get(db.doc(`accounts/${to}`))
        transaction.set(a.ref, { n: a.data()?.n - 1 }).set(b.ref, { n: b.data()?.n + 1 })
      })
    await db.batch().set(db.doc('accounts/a'), { n: 5 }).set(db.doc('accounts/b'), { n: 5 }).commit()
    await Promise.all([move('a', 'b'), move('b', 'a'), move('a', 'b')])
    expect(emulator.documents()).toEqual({ 'accounts/a': { n: 4 }, 'accounts/b': { n: 6 } })
  })

  test('a failed transaction leaves no changes and no locks', async () => {
    const failing = db.runTransaction(async (transaction) => {
      await transaction.get(db.doc('counters/a'))
      transaction.set(db.doc('counters/a'), { n: 1 })
      throw new Error('changed my mind')
    })
    await expect(failing).rejects.toThrow('changed my mind')
    await increment()
    expect(emulator.documents()).toEqual({ 'counters/a': { n: 1 } })
  })

  test('a read-only transaction sees one point in time, without blocking writes', async () => {
    await db.doc('counters/a').set({ n: 1 })
    const seen = await db.runTransaction(
      async (transaction) => {
        const first = await transaction.get(db.doc('counters/a'))
        await db.batch().set(db.doc('counters/a'), { n: 2 }).set(db.doc('counters/b'), { n: 2 }).commit()
        const second = await transaction.get(db.collection('counters'))
        return [first.data(), second.docs.map((one) => one.data())]
      },
      { readOnly: true },
    )
    expect(seen).toEqual([{ n: 1 }, [{ n: 1 }]])
  })
})

test('the Firestore emulator refuses a token signed with an unknown key', async () => {
  const other = (await import('node:crypto')).generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  })
  const app = initializeApp(
    { credential: cert({ ...SERVICE_ACCOUNT, privateKey: other.privateKey }), projectId: PROJECT_ID },
    `other ${emulator.host}`,
  )
  const stranger = initializeFirestore(app, { preferRest: true })
  await expect(stranger.doc('users/a').set({ n: 1 })).rejects.toMatchObject({ code: 16 })
  await deleteApp(app)
  expect(emulator.documents()).toEqual({})
})
