import { describe, expect, test } from 'vitest'
import { buildUpdate, createTestFirestore, DOCUMENTS_ROOT } from '../testing/firestore.ts'
import type { WireFields, WireValue } from '../wire.ts'
import { computeDocumentSize } from './limits.ts'

const refused = (message: string) => ({
  status: 400,
  body: { error: { code: 400, status: 'INVALID_ARGUMENT', message: expect.stringContaining(message) } },
})
const text = (stringValue: string): WireValue => ({ stringValue })
const written = { status: 200 }
const store = (fields: WireFields, path = 'open/a') =>
  createTestFirestore().commit([buildUpdate(path, fields)])

describe('document size', () => {
  test('the size of a document is computed as documented', () => {
    // The example on Firestore's page 'Storage size calculations'.
    const fields: WireFields = {
      type: text('Personal'),
      done: { booleanValue: false },
      priority: { integerValue: '1' },
      description: text('Learn Cloud Firestore'),
    }
    expect(computeDocumentSize('users/jeff/tasks/my_task_id', fields)).toBe(147)
  })

  test.each<[WireValue, number]>([
    [{ nullValue: null }, 1],
    [{ doubleValue: 1.5 }, 8],
    [{ timestampValue: '2026-01-01T00:00:00Z' }, 8],
    [text('é'), 3],
    [{ referenceValue: `${DOCUMENTS_ROOT}/a/b` }, 20],
    [{ arrayValue: { values: [text('a'), { booleanValue: true }] } }, 3],
    [{ mapValue: { fields: { ab: text('a') } } }, 5],
  ])('the value %j adds %i bytes to the size of its document', (value, bytes) => {
    const empty = computeDocumentSize('open/a', {})
    expect(computeDocumentSize('open/a', { v: value }) - empty).toBe(2 + bytes)
  })

  test('Firestore stores a document of one mebibyte, and refuses one byte more', async () => {
    const room = 1_048_576 - computeDocumentSize('open/a', { t: text('') })
    expect(await store({ t: text('x'.repeat(room)) })).toMatchObject(written)
    expect(await store({ t: text('x'.repeat(room + 1)) })).toMatchObject(
      refused('its size (1,048,577 bytes) exceeds the maximum allowed size of 1,048,576 bytes'),
    )
  })

  test('Firestore refuses an update that makes a document too large', async () => {
    const { commit } = createTestFirestore()
    const half = text('x'.repeat(600_000))
    await commit([buildUpdate('open/a', { a: half })])
    const merge = { updateMask: { fieldPaths: ['b'] } }
    expect(await commit([buildUpdate('open/a', { b: half }, merge)])).toMatchObject(
      refused('exceeds the maximum'),
    )
  })
})

test('Firestore refuses a commit that deletes a document and then updates it', async () => {
  const { commit } = createTestFirestore()
  await commit([buildUpdate('open/a', { n: text('1') })])
  const exists = { currentDocument: { exists: true } }
  const deletion = { delete: `${DOCUMENTS_ROOT}/open/a` }
  expect(await commit([deletion, buildUpdate('open/a', {}, exists)])).toMatchObject(
    refused('The same commit deletes'),
  )
  expect(await commit([deletion, buildUpdate('open/a', { n: text('2') })])).toMatchObject(written)
})

describe('query limits', () => {
  const ask = (where: object) =>
    createTestFirestore().post('runQuery', {
      structuredQuery: { from: [{ collectionId: 'open' }], where },
    })
  const condition = (field: string, op: string, value: object) => ({
    fieldFilter: { field: { fieldPath: field }, op, value },
  })
  const numbers = (count: number) => ({
    arrayValue: { values: Array.from({ length: count }, (_, i) => ({ integerValue: String(i) })) },
  })
  const together = (...filters: object[]) => ({ compositeFilter: { op: 'AND', filters } })
  const one = { integerValue: '1' }

  test('Firestore limits a query to thirty disjunctions', async () => {
    expect(
      await ask(together(condition('a', 'IN', numbers(6)), condition('b', 'IN', numbers(5)))),
    ).toMatchObject(written)
    expect(
      await ask(together(condition('a', 'IN', numbers(6)), condition('b', 'IN', numbers(6)))),
    ).toMatchObject({
      status: 400,
      body: [refused('36').body],
    })
  })

  test('Firestore refuses a query with two array conditions', async () => {
    const x = condition('a', 'ARRAY_CONTAINS', one)
    for (const y of [
      condition('b', 'ARRAY_CONTAINS', one),
      condition('a', 'ARRAY_CONTAINS_ANY', numbers(1)),
    ]) {
      expect(await ask(together(x, y))).toMatchObject({ status: 400, body: [refused('only one array').body] })
    }
  })

  test('a query finds a list that equals one of several lists', async () => {
    const lists = { arrayValue: { values: [numbers(2), numbers(1)] } }
    const { commit, post } = createTestFirestore()
    await commit([buildUpdate('open/a', { list: numbers(2) }), buildUpdate('open/b', { list: numbers(3) })])
    const found = await post('runQuery', {
      structuredQuery: { from: [{ collectionId: 'open' }], where: condition('list', 'IN', lists) },
    })
    expect(found.body).toMatchObject([{ document: { name: `${DOCUMENTS_ROOT}/open/a` } }])
  })
})
