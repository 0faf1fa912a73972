import * as v from 'valibot'
import { listUnknownKeys } from '../unknownKeys.ts'
import type { AuthContext, Language } from './state.ts'

export interface Refusal {
  readonly kind: 'refused'
  readonly message: string
}

export type Reply =
  | { readonly kind: 'done'; readonly body: Readonly<Record<string, unknown>> }
  | Refusal
  | { readonly kind: 'unknown'; readonly what: string }

export interface CallContext {
  readonly apiKey: string
  readonly language: Language
}

export type Operation = (core: AuthContext, request: unknown, call: CallContext) => Promise<Reply>

export const buildReply = (body: Readonly<Record<string, unknown>>): Reply => ({ kind: 'done', body })

/** SDKs split the message at ' : ' into a code and an explanation. */
export const buildRefusal = (code: string, explanation?: string): Refusal => ({
  kind: 'refused',
  message: explanation ? `${code} : ${explanation}` : code,
})

export const isRefusal = (value: object): value is Refusal => 'kind' in value && value.kind === 'refused'

/** Like the service, treats a missing field as empty. */
export const textField = v.optional(v.string(), '')

/** Fields and values outside the schema are features that the emulator lacks, not errors of the caller. */
export function defineOperation<Schema extends v.GenericSchema>(
  schema: Schema,
  handle: (core: AuthContext, request: v.InferOutput<Schema>, call: CallContext) => Reply | Promise<Reply>,
): Operation {
  return async (core, request, call) => {
    const { success, output, issues } = v.safeParse(schema, request)
    if (success) return handle(core, output, call)
    const isOther = ({ type }: v.BaseIssue<unknown>) => type === 'literal' || type === 'variant'
    const unknown = [
      ...listUnknownKeys(issues),
      ...issues.filter(isOther).map((issue) => v.getDotPath(issue)),
    ]
    return unknown.length > 0
      ? { kind: 'unknown', what: `field ${unknown.join(', ')}` }
      : buildRefusal('INVALID_ARGUMENT', v.summarize(issues))
  }
}

export const parseLanguage = (tag: string | undefined): Language =>
  tag?.toLowerCase().startsWith('en') ? 'en' : 'fr'
