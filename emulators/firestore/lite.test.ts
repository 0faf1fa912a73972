import { deleteApp, initializeApp } from 'firebase/app'
import {
  addDoc,
  collection,
  connectFirestoreEmulator,
  deleteDoc,
  deleteField,
  doc,
  type Firestore,
  getDoc,
  getDocs,
  initializeFirestore,
  limit,
  orderBy,
  query,
  serverTimestamp,
  setDoc,
  setLogLevel,
  startAfter,
  Timestamp,
  terminate,
  updateDoc,
  where,
  writeBatch,
} from 'firebase/firestore/lite'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { PROJECT_ID, serveTestFirestore } from '../testing/firestore.ts'

setLogLevel('silent')

const INDEXES = {
  indexes: [
    {
      collectionGroup: 'notes',
      queryScope: 'COLLECTION',
      fields: [
        { fieldPath: 'owner', order: 'ASCENDING' },
        { fieldPath: 'at', order: 'DESCENDING' },
      ],
    },
  ],
}

let emulator: Awaited<ReturnType<typeof serveTestFirestore>>
let close: (() => Promise<void>)[]

beforeEach(async () => {
  emulator = await serveTestFirestore({ indexes: INDEXES })
  close = []
})

afterEach(async () => {
  for (const one of close) await one()
  await emulator.close()
  expect(emulator.unknown).toEqual([])
})

/** Null creates a signed-out client. */
function connect(token: string | null): Firestore {
  const app = initializeApp({ projectId: PROJECT_ID, apiKey: 'key' }, `${emulator.host} ${token}`)
  const db = initializeFirestore(app, {})
  connectFirestoreEmulator(db, '127.0.0.1', emulator.port, token === null ? {} : { mockUserToken: token })
  close.push(async () => {
    await terminate(db)
    await deleteApp(app)
  })
  return db
}

const ana = () => connect('user-ana')

describe('documents', () => {
  test('the lite SDK writes, reads, changes and deletes documents', async () => {
    const db = connect(null)
    const document = doc(db, 'open/a')
    expect((await getDoc(document)).exists()).toBe(false)
    await setDoc(document, {
      text: 'é',
      n: 1,
      list: [null, { a: 1.5 }],
      at: Timestamp.fromMillis(5),
      gone: 1,
    })
    await updateDoc(document, { n: 3, gone: deleteField(), 'map.inner': true })
    await setDoc(document, { map: { other: false } }, { merge: true })
    expect((await getDoc(document)).data()).toEqual({
      text: 'é',
      n: 3,
      list: [null, { a: 1.5 }],
      at: Timestamp.fromMillis(5),
      map: { inner: true, other: false },
    })
    const added = await addDoc(collection(db, 'open'), { n: 9 })
    expect(emulator.documents()[`open/${added.id}`]).toEqual({ n: 9 })
    await deleteDoc(document)
    expect(Object.keys(emulator.documents())).toEqual([`open/${added.id}`])
  })

  test("the lite SDK can't update a missing document", async () => {
    await expect(updateDoc(doc(connect(null), 'open/a'), { n: 1 })).rejects.toMatchObject({
      code: 'not-found',
    })
  })

  test('a batch of the lite SDK with a failing write changes nothing', async () => {
    const db = connect(null)
    const batch = writeBatch(db).set(doc(db, 'open/a'), { n: 1 }).update(doc(db, 'open/b'), { n: 1 })
    await expect(batch.commit()).rejects.toMatchObject({ code: 'not-found' })
    expect(emulator.documents()).toEqual({})
  })
})

describe('rules', () => {
  test('rules check the signed-in user and the time of the request', async () => {
    const db = ana()
    const note = doc(db, 'notes/1')
    await setDoc(note, { owner: 'ana', text: 'a', at: serverTimestamp() })
    await updateDoc(note, { text: 'b' })
    expect((await getDoc(note)).data()).toEqual({
      owner: 'ana',
      text: 'b',
      at: Timestamp.fromMillis(emulator.time.now),
    })
    const denied = { code: 'permission-denied', message: expect.stringContaining('insufficient permissions') }
    await expect(updateDoc(note, { owner: 'ben' })).rejects.toMatchObject(denied)
    await expect(setDoc(doc(db, 'notes/2'), { owner: 'ana', at: Timestamp.now() })).rejects.toMatchObject(
      denied,
    )
    await expect(deleteDoc(note)).rejects.toMatchObject(denied)
    for (const token of ['user-ben', null]) {
      const other = connect(token)
      await expect(getDoc(doc(other, 'notes/1'))).rejects.toMatchObject(denied)
      await expect(setDoc(doc(other, 'notes/1'), { owner: 'ana' })).rejects.toMatchObject(denied)
      await expect(
        getDocs(query(collection(other, 'notes'), where('owner', '==', 'ana'))),
      ).rejects.toMatchObject(denied)
    }
    expect(emulator.documents()).toEqual({
      'notes/1': { owner: 'ana', text: 'b', at: '2026-01-31T12:00:00Z' },
    })
  })

  test("rules allow a query only if it can't find other users' documents @spec-foreign-queries", async () => {
    const db = ana()
    await setDoc(doc(db, 'notes/1'), { owner: 'ana', at: serverTimestamp() })
    emulator.time.now += 1000
    await setDoc(doc(db, 'notes/2'), { owner: 'ana', at: serverTimestamp() })
    const mine = query(collection(db, 'notes'), where('owner', '==', 'ana'))
    const newest = query(mine, orderBy('at', 'desc'), limit(1))
    const page = await getDocs(newest)
    expect(page.docs.map(({ id }) => id)).toEqual(['2'])
    const rest = await getDocs(query(mine, orderBy('at', 'desc'), startAfter(page.docs[0])))
    expect(rest.docs.map(({ id }) => id)).toEqual(['1'])
    const everything = collection(db, 'notes')
    await expect(getDocs(everything)).rejects.toMatchObject({ code: 'permission-denied' })
  })

  test('the Firestore emulator refuses a user with an invalid token', async () => {
    await expect(getDoc(doc(connect('rubbish'), 'open/a'))).rejects.toMatchObject({ code: 'unauthenticated' })
  })
})

test("the lite SDK can't query without an index", async () => {
  const mine = query(collection(ana(), 'notes'), where('owner', '==', 'ana'), orderBy('at', 'asc'))
  await expect(getDocs(mine)).rejects.toMatchObject({
    code: 'failed-precondition',
    message: expect.stringContaining('The query requires an index. You can create it here: https://'),
  })
})
