import type { WireFields } from '../wire.ts'
import type { Method } from './syntax.ts'

/** What a request is about, as the rules see it. */
export interface RulesResource {
  /** The last segment of the path; null when a query does not fix it. */
  readonly id: string | null
  /** Firestore: the document's fields. Storage: the object's metadata (name, size, contentType, …). */
  readonly fields: WireFields
  /** Only the listed fields are known, any other is neither there nor missing. For queries. */
  readonly partial?: boolean
}

/** One operation on one document (or, for 'list', one query) that asks for permission. */
export interface RulesRequest {
  readonly method: Method
  /** '/databases/(default)/documents/users/abc'; for 'list' the collection, '/databases/(default)/documents/users'. */
  readonly path: string
  readonly auth: { readonly uid: string; readonly token: Readonly<Record<string, unknown>> } | null
  /** UTC ms. A REQUEST_TIME transform has to store this same instant for `createdAt == request.time`. */
  readonly time: number
  /**
   * What is stored now; null when nothing is. For 'list': the top-level fields that the query's
   * equality filters pin, with `partial: true`.
   */
  readonly resource: RulesResource | null
  /** What would be stored after a create or update, transforms applied, merged; null for the others. */
  readonly requestResource: RulesResource | null
  /** For 'list'. `orderBy` as '<field> ASC|DESC', comma separated; null for what the query does not say. */
  readonly query?: {
    readonly limit: number | null
    readonly offset: number | null
    readonly orderBy: string | null
  }
  /** The fields of another document, before or after the whole write; null when there is none. */
  read(path: string, after: boolean): WireFields | null
}
