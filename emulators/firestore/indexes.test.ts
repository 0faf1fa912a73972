import { expect, test } from 'vitest'
import { createIndexCheck } from './indexes.ts'
import type { FieldFilter, FilterOperator, Query } from './query.ts'

const index = (...fields: string[]) => ({
  collectionGroup: 'rows',
  queryScope: 'COLLECTION',
  fields: fields.map((text) => {
    const [fieldPath = '', mode = 'ASCENDING'] = text.split(' ')
    return mode === 'CONTAINS' ? { fieldPath, arrayConfig: mode } : { fieldPath, order: mode }
  }),
})

const requireIndex = createIndexCheck(
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

const where = (text: string): FieldFilter => {
  const [field = '', op] = text.split(' ')
  return { path: field.split('.'), op: op as FilterOperator, value: { integerValue: '1' } }
}
const all = (...texts: string[]) => texts.map(where)
const query = (filters: readonly FieldFilter[], ...orders: string[]): Query => ({
  collection: 'rows',
  where: filters,
  orderBy: orders.map((text) => {
    const [field = '', direction] = text.split(' ')
    return { path: [field], direction: direction === 'DESC' ? 'DESCENDING' : 'ASCENDING' }
  }),
  startAfter: null,
  limit: null,
})

test.each<[string, Query]>([
  ['no filter', query([])],
  ['one field in descending order', query([], 'at DESC')],
  ['a range of one field', query(all('at GREATER_THAN', 'at LESS_THAN'), 'at DESC')],
  ['equalities of any fields', query(all('a EQUAL', 'b EQUAL', 'tags ARRAY_CONTAINS'))],
  ['an equality in the order of an index', query(all('user EQUAL'), 'at DESC')],
  ['an IN filter in the order of an index', query(all('user IN'), 'at DESC')],
  ['two equalities and a range', query(all('user EQUAL', 'status EQUAL', 'at GREATER_THAN_OR_EQUAL'))],
  ['equalities that two merged indexes cover', query(all('user EQUAL', 'kind EQUAL'), 'at DESC')],
  ['a list element in the order of an index', query(all('tags ARRAY_CONTAINS'), 'at')],
  ['an order by the field of an equality', query(all('user EQUAL'), 'user')],
])('the indexes allow a query with %s', (_, asked) => {
  expect(() => requireIndex(asked)).not.toThrow()
})

test.each<[string, Query]>([
  ['an order opposite to the index', query(all('user EQUAL'), 'at')],
  ['an equality of a field without an index', query(all('other EQUAL'), 'at DESC')],
  ['one equality too many', query(all('user EQUAL', 'other EQUAL'), 'at DESC')],
  ['one equality too few', query(all('status EQUAL', 'at GREATER_THAN'))],
  ['an order by two fields', query([], 'user', 'at')],
  ['ranges of two fields', query(all('a GREATER_THAN', 'b GREATER_THAN'))],
  ['the name in the opposite direction', query([], 'at DESC', '__name__ ASC')],
  ['an equality of a list whose elements are indexed', query(all('tags EQUAL'), 'at')],
  ['a list element in the order of the lists', query(all('tags ARRAY_CONTAINS'), 'tags')],
])('refuses a query with %s because its index is missing', (_, asked) => {
  expect(() => requireIndex(asked)).toThrow(
    expect.objectContaining({
      status: 'FAILED_PRECONDITION',
      message: expect.stringMatching(/^The query requires an index\. You can create it here: https:/),
    }),
  )
})

test('rejects an index file with unknown settings', () => {
  expect(() => createIndexCheck({ indexes: [], fieldOverrides: [{}] }, 'demo')).toThrow('fieldOverrides')
  expect(() =>
    createIndexCheck({ indexes: [{ ...index('a'), queryScope: 'COLLECTION_GROUP' }] }, 'demo'),
  ).toThrow('COLLECTION_GROUP')
})
