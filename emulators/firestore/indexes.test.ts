import { expect, test } from 'vitest'
import { createIndexes } from './indexes.ts'
import type { Comparison, Filter, Query } from './query.ts'

const index = (...fields: string[]) => ({
  collectionGroup: 'rows',
  queryScope: 'COLLECTION',
  fields: fields.map((text) => {
    const [fieldPath = '', mode = 'ASCENDING'] = text.split(' ')
    return mode === 'CONTAINS' ? { fieldPath, arrayConfig: mode } : { fieldPath, order: mode }
  }),
})

const requireIndex = createIndexes(
  {
    indexes: [
      index('user', 'at DESCENDING'),
      index('kind', 'at DESCENDING'),
      index('user', 'status', 'at'),
      index('tags CONTAINS', 'at'),
    ],
  },
  'demo',
)

const where = (text: string): Filter => {
  const [field = '', op] = text.split(' ')
  return { kind: 'field', path: field.split('.'), op: op as Comparison, value: { integerValue: '1' } }
}
const all = (...texts: string[]): Filter => ({ kind: 'AND', filters: texts.map(where) })
const query = (filter: Filter | null, ...orders: string[]): Query => ({
  collection: 'rows',
  where: filter,
  orderBy: orders.map((text) => {
    const [field = '', direction] = text.split(' ')
    return { path: [field], direction: direction === 'DESC' ? 'DESCENDING' : 'ASCENDING' }
  }),
  startAt: null,
  endAt: null,
  offset: 0,
  limit: null,
  select: null,
})

test.each<[string, Query]>([
  ['everything', query(null)],
  ['one field, either way', query(null, 'at DESC')],
  ['a range of one field', query(all('at GREATER_THAN', 'at LESS_THAN'), 'at DESC')],
  ['equalities of any fields', query(all('a EQUAL', 'b EQUAL', 'tags ARRAY_CONTAINS'))],
  ['alternatives of equalities', query({ kind: 'OR', filters: [where('a EQUAL'), where('b EQUAL')] })],
  ['equal, in the order of the index', query(all('user EQUAL'), 'at DESC')],
  ['one of several, in the order of the index', query(all('user IN'), 'at DESC')],
  ['equal and in a range', query(all('user EQUAL', 'status EQUAL', 'at GREATER_THAN_OR_EQUAL'))],
  ['two indexes merged', query(all('user EQUAL', 'kind EQUAL'), 'at DESC')],
  ['a list’s element, in order', query(all('tags ARRAY_CONTAINS'), 'at')],
  ['ordered by what is equal anyway', query(all('user EQUAL'), 'user')],
])('served: %s', (_, asked) => {
  expect(() => requireIndex(asked)).not.toThrow()
})

test.each<[string, Query]>([
  ['the other direction', query(all('user EQUAL'), 'at')],
  ['another field', query(all('other EQUAL'), 'at DESC')],
  ['one field too many', query(all('user EQUAL', 'other EQUAL'), 'at DESC')],
  ['one field too few', query(all('status EQUAL', 'at GREATER_THAN'))],
  ['two orders', query(null, 'user', 'at')],
  ['ranges of two fields', query(all('a GREATER_THAN', 'b GREATER_THAN'))],
  ['not equal, with an equality', query(all('user EQUAL', 'status NOT_EQUAL'))],
  ['a name in the other direction', query(null, 'at DESC', '__name__ ASC')],
  ['a list’s element as if it were a value', query(all('tags EQUAL'), 'at')],
  ['an array’s element, in the order of the arrays', query(all('tags ARRAY_CONTAINS'), 'tags')],
  [
    'one alternative without',
    query({ kind: 'OR', filters: [where('user EQUAL'), where('other EQUAL')] }, 'at DESC'),
  ],
])('refused: %s', (_, asked) => {
  expect(() => requireIndex(asked)).toThrow(
    expect.objectContaining({
      status: 'FAILED_PRECONDITION',
      message: expect.stringMatching(/^The query requires an index\. You can create it here: https:/),
    }),
  )
})

test('a file that says more than is understood is refused at the start', () => {
  expect(() => createIndexes({ indexes: [], fieldOverrides: [{}] }, 'demo')).toThrow('fieldOverrides')
  expect(() =>
    createIndexes({ indexes: [{ ...index('a'), queryScope: 'COLLECTION_GROUP' }] }, 'demo'),
  ).toThrow('COLLECTION_GROUP')
})
