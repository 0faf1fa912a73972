import type { RulesResource } from './request.ts'
import { fromFields, map, string, UNKNOWN, type Value } from './values.ts'

/** The properties that a value has by name; 'any' where nothing is known about them. */
export type Shape = 'any' | { readonly [property: string]: Shape }

/** What differs between the hosted services that speak the rules language. */
export interface Service {
  readonly name: string
  readonly request: Shape
  readonly resource: Shape
  /** How many different documents the rules may read for one request. */
  readonly maxDocuments: number
  /** The functions that look at other documents. */
  readonly documentFunctions: ReadonlyMap<
    string,
    { readonly yields: 'document' | 'presence'; readonly after: boolean }
  >
  /** `resource` or `request.resource`, as a rule sees it. */
  resourceValue(resource: RulesResource, path: Value): Value
}

const VALUE: Shape = {}

export const documentValue = ({ id, fields, partial }: RulesResource, name: Value): Value =>
  map([
    ['data', fromFields(fields, partial)],
    ['id', id === null ? UNKNOWN : string(id)],
    ['__name__', name],
  ])

const DOCUMENT: Shape = { data: 'any', id: VALUE, __name__: VALUE }

const REQUEST = { auth: { uid: VALUE, token: 'any' }, method: VALUE, path: VALUE, time: VALUE } as const

export const SERVICES = {
  'cloud.firestore': {
    name: 'cloud.firestore',
    request: { ...REQUEST, resource: DOCUMENT, query: { limit: VALUE, offset: VALUE, orderBy: VALUE } },
    resource: DOCUMENT,
    maxDocuments: 10,
    documentFunctions: new Map([
      ['get', { yields: 'document', after: false }],
      ['exists', { yields: 'presence', after: false }],
      ['getAfter', { yields: 'document', after: true }],
      ['existsAfter', { yields: 'presence', after: true }],
    ]),
    resourceValue: documentValue,
  },
  'firebase.storage': {
    name: 'firebase.storage',
    request: { ...REQUEST, resource: 'any' },
    resource: 'any',
    maxDocuments: 2,
    documentFunctions: new Map([
      ['firestore.get', { yields: 'document', after: false }],
      ['firestore.exists', { yields: 'presence', after: false }],
    ]),
    resourceValue: ({ fields, partial }) => fromFields(fields, partial),
  },
} satisfies Record<string, Service>
