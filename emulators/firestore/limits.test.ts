import { describe, expect, test } from 'vitest'
import type { WireFields, WireValue } from '../wire.ts'
import { documentBytes } from './limits.ts'
import { createTestFirestore, ROOT, update } from './testing.ts'

const refused = (message: string) => ({
  status: 400,
  body: { error: { code: 400, status: 'INVALID_ARGUMENT', message: expect.stringContaining(message) } },
})
const text = (stringValue: string): WireValue => ({ stringValue })
const written = { status: 200 }
const store = (fields: WireFields, path = 'open/a') => createTestFirestore().commit([update(path, fields)])

const nested = (depth: number): WireValue =>
  depth === 0 ? text('x') : { mapValue: { fields: { a: nested(depth - 1) } } }

describe('a document', () => {
  test('takes what the service says that it takes', () => {
    // The example of the service's own page on storage sizes.
    const fields: WireFields = {
      type: text('Personal'),
      done: { booleanValue: false },
      priority: { integerValue: '1' },
      description: text('Learn Cloud Firestore'),
    }
    expect(documentBytes('users/jeff/tasks/my_task_id', fields)).toBe(147)
  })

  test.each<[WireValue, number]>([
    [{ nullValue: null }, 1],
    [{ doubleValue: 1.5 }, 8],
    [{ timestampValue: '2026-01-01T00:00:00Z' }, 8],
    [{ geoPointValue: { latitude: 1, longitude: 1 } }, 16],
    [{ bytesValue: 'AAAA' }, 3],
    [text('é'), 3],
    [{ referenceValue: `${ROOT}/a/b` }, 20],
    [{ arrayValue: { values: [text('a'), { booleanValue: true }] } }, 3],
    [{ mapValue: { fields: { ab: text('a') } } }, 5],
  ])('%j counts %i bytes', (value, bytes) => {
    const empty = documentBytes('open/a', {})
    expect(documentBytes('open/a', { v: value }) - empty).toBe(2 + bytes)
  })

  test('of a mebibyte is stored, and refused with one byte more', async () => {
    const room = 1_048_576 - documentBytes('open/a', { t: text('') })
    expect(await store({ t: text('x'.repeat(room)) })).toMatchObject(written)
    expect(await store({ t: text('x'.repeat(room + 1)) })).toMatchObject(
      refused('its size (1,048,577 bytes) exceeds the maximum allowed size of 1,048,576 bytes'),
    )
  })

  test('that grows beyond it is refused as it is after the write', async () => {
    const { commit } = createTestFirestore()
    const half = text('x'.repeat(600_000))
    await commit([update('open/a', { a: half })])
    const merge = { updateMask: { fieldPaths: ['b'] } }
    expect(await commit([update('open/a', { b: half }, merge)])).toMatchObject(refused('exceeds the maximum'))
  })
})

describe('names', () => {
  test.each([
    ['of a document', (name: string) => store({}, `open/${name}`)],
    ['of a field', (name: string) => store({ [name]: text('x') })],
    ['of a field in a map', (name: string) => store({ m: { mapValue: { fields: { [name]: text('x') } } } })],
  ])('%s have 1,500 bytes at most', async (_, storeAs) => {
    expect(await storeAs('é'.repeat(750))).toMatchObject(written)
    expect(await storeAs(`${'é'.repeat(750)}x`)).toMatchObject(refused('longer than 1500 bytes'))
  })
})

describe('values', () => {
  test('stand in twenty maps and arrays at most', async () => {
    expect(await store({ a: nested(20) })).toMatchObject(written)
    expect(await store({ a: nested(21) })).toMatchObject(refused('more than 20 levels'))
    expect(await store({ a: { arrayValue: { values: [nested(20)] } } })).toMatchObject(refused('20 levels'))
  })

  test.each([
    { bytesValue: 'A' },
    { bytesValue: 'AA*=' },
    { bytesValue: 'AA=A' },
    { geoPointValue: { latitude: 91, longitude: 0 } },
    { geoPointValue: { latitude: 0, longitude: -180.5 } },
  ])('that cannot be are refused: %j', async (value) => {
    expect(await store({ v: value })).toMatchObject(refused(`Invalid ${Object.keys(value)[0]}`))
  })

  test.each([
    { bytesValue: '_-8' },
    { bytesValue: 'AA' },
    { geoPointValue: { latitude: -90, longitude: 180 } },
    { geoPointValue: {} },
  ])('are taken: %j', async (value) => {
    expect(await store({ v: value })).toMatchObject(written)
  })
})

test('a request has ten mebibytes at most', async () => {
  const parts = Array.from({ length: 11 }, (_, i) => update(`open/d${i}`, { t: text('x'.repeat(1_000_000)) }))
  const { commit } = createTestFirestore()
  expect(await commit(parts.slice(1))).toMatchObject(written)
  expect(await commit(parts)).toMatchObject(
    refused('Request payload size exceeds the limit: 10485760 bytes.'),
  )
})

test('a commit that deletes a document and then updates it contradicts itself', async () => {
  const { commit } = createTestFirestore()
  await commit([update('open/a', { n: text('1') })])
  const exists = { currentDocument: { exists: true } }
  const deletion = { delete: `${ROOT}/open/a` }
  expect(await commit([deletion, update('open/a', {}, exists)])).toMatchObject(
    refused('The same commit deletes'),
  )
  expect(await commit([deletion, update('open/a', { n: text('2') })])).toMatchObject(written)
})

describe('a query', () => {
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
  const either = (...filters: object[]) => ({ compositeFilter: { op: 'OR', filters } })
  const one = { integerValue: '1' }

  test('stands for thirty alternatives at most, however they are written', async () => {
    expect(
      await ask(together(condition('a', 'IN', numbers(6)), condition('b', 'IN', numbers(5)))),
    ).toMatchObject(written)
    expect(
      await ask(together(condition('a', 'IN', numbers(6)), condition('b', 'IN', numbers(6)))),
    ).toMatchObject({
      status: 400,
      body: [refused('36').body],
    })
    const many = Array.from({ length: 31 }, (_, i) => condition(`f${i}`, 'EQUAL', one))
    expect(await ask(either(...many.slice(1)))).toMatchObject(written)
    expect(await ask(either(...many))).toMatchObject({ status: 400, body: [refused('31').body] })
  })

  test('asks one array condition in each alternative', async () => {
    const x = condition('a', 'ARRAY_CONTAINS', one)
    for (const y of [
      condition('b', 'ARRAY_CONTAINS', one),
      condition('a', 'ARRAY_CONTAINS_ANY', numbers(1)),
    ]) {
      expect(await ask(together(x, y))).toMatchObject({ status: 400, body: [refused('only one array').body] })
      expect(await ask(either(x, y))).toMatchObject(written)
    }
  })

  test.each(['NOT_EQUAL', 'IN', 'ARRAY_CONTAINS_ANY', 'NOT_IN'])('has no NOT_IN beside %s', async (op) => {
    const other = condition('b', op, op === 'NOT_EQUAL' ? one : numbers(1))
    expect(await ask(together(condition('a', 'NOT_IN', numbers(2)), other))).toMatchObject({
      status: 400,
      body: [refused("'NOT_IN' cannot be used with").body],
    })
  })

  test('may ask for one of several lists', async () => {
    const lists = { arrayValue: { values: [numbers(2), numbers(1)] } }
    const { commit, post } = createTestFirestore()
    await commit([update('open/a', { list: numbers(2) }), update('open/b', { list: numbers(3) })])
    const found = await post('runQuery', {
      structuredQuery: { from: [{ collectionId: 'open' }], where: condition('list', 'IN', lists) },
    })
    expect(found.body).toMatchObject([{ document: { name: `${ROOT}/open/a` } }])
  })
})
