import type { WireFields } from '../wire.ts'
import type { Method } from './syntax.ts'

/** A document or object as the rules see it. */
export interface RulesResource {
  /** Last segment of the path; null if a query does not fix it. */
  readonly id: string | null
  /** Firestore: the document's fields. Storage: the object's metadata (name, size, contentType, …). */
  readonly fields: WireFields
  /** Whether only the listed fields are known, as in queries, so that other fields may exist. */
  readonly partial?: boolean
}

/** An operation on a document, or a query ('list'). */
export interface RulesRequest {
  readonly method: Method
  /**
   * '/databases/(default)/documents/users/abc'; for 'list' the collection,
   * '/databases/(default)/documents/users'.
   */
  readonly path: string
  readonly auth: { readonly uid: string; readonly token: Readonly<Record<string, unknown>> } | null
  /**
   * UTC milliseconds. A REQUEST_TIME transform must store the same instant for `createdAt == request.time`.
   */
  readonly time: number
  /**
   * The stored document, or null. For 'list': the top-level fields fixed by the query's equality filters,
   * with `partial: true`.
   */
  readonly resource: RulesResource | null
  /** The merged document after a create or update, with transforms applied; null for other operations. */
  readonly requestResource: RulesResource | null
  /** Returns the stored fields of another document; null if it doesn't exist. */
  read(path: string): WireFields | null
}
