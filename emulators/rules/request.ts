import type { WireFields } from '../wire.ts'
import type { Method } from './syntax.ts'

export interface RulesResource {
  /** Null if a query does not fix it. */
  readonly id: string | null
  /** Firestore: the document's fields. Storage: the object's metadata. */
  readonly fields: WireFields
  /** Set in queries: other fields may exist. */
  readonly partial?: boolean
}

/** A query is 'list'. */
export interface RulesRequest {
  readonly method: Method
  /** '/databases/(default)/documents/users/abc'; for 'list' without the document. */
  readonly path: string
  readonly auth: { readonly uid: string; readonly token: Readonly<Record<string, unknown>> } | null
  /** UTC milliseconds. REQUEST_TIME must store the same instant for `createdAt == request.time`. */
  readonly time: number
  /** For 'list': the top-level fields fixed by the query's equality filters. */
  readonly resource: RulesResource | null
  /** After a create or update, merged, with transforms applied. */
  readonly requestResource: RulesResource | null
  read(path: string): WireFields | null
}
