import type { RulesResource } from './request.ts'
import { buildMap, buildString, toRulesMap, UNKNOWN_VALUE, type Value } from './values.ts'

/** 'any' if the properties are unknown. */
export type Shape = 'any' | { readonly [property: string]: Shape }

export interface RulesServiceDefinition {
  readonly name: string
  readonly request: Shape
  readonly resource: Shape
  /** Different documents per request. */
  readonly maxDocuments: number
  readonly documentFunctions: ReadonlyMap<string, 'document' | 'presence'>
  resourceValue(resource: RulesResource, path: Value): Value
}

const VALUE: Shape = {}

export const buildDocumentValue = ({ id, fields, partial }: RulesResource, name: Value): Value =>
  buildMap([
    ['data', toRulesMap(fields, partial)],
    ['id', id === null ? UNKNOWN_VALUE : buildString(id)],
    ['__name__', name],
  ])

const DOCUMENT: Shape = { data: 'any', id: VALUE, __name__: VALUE }

const REQUEST = { auth: { uid: VALUE, token: 'any' }, method: VALUE, path: VALUE, time: VALUE } as const

export const RULES_SERVICES = {
  'cloud.firestore': {
    name: 'cloud.firestore',
    request: { ...REQUEST, resource: DOCUMENT },
    resource: DOCUMENT,
    maxDocuments: 10,
    documentFunctions: new Map([
      ['get', 'document'],
      ['exists', 'presence'],
    ]),
    resourceValue: buildDocumentValue,
  },
  'firebase.storage': {
    name: 'firebase.storage',
    request: { ...REQUEST, resource: 'any' },
    resource: 'any',
    maxDocuments: 2,
    documentFunctions: new Map([
      ['firestore.get', 'document'],
      ['firestore.exists', 'presence'],
    ]),
    resourceValue: ({ fields, partial }) => toRulesMap(fields, partial),
  },
} satisfies Record<string, RulesServiceDefinition>
