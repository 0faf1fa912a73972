import { z } from 'zod'
import type { AuthContext, Language } from './state.ts'

/** A refusal with one of the service's published error codes. */
export interface Refusal {
  readonly kind: 'refused'
  readonly message: string
}

export type Reply =
  | { readonly kind: 'done'; readonly body: Readonly<Record<string, unknown>> }
  | Refusal
  /** A call to a feature that this emulator lacks. */
  | { readonly kind: 'unknown'; readonly what: string }

/** Parts of a call besides its body. */
export interface CallContext {
  readonly apiKey: string
  readonly language: Language
}

export type Operation = (core: AuthContext, request: unknown, call: CallContext) => Promise<Reply>

export const buildReply = (body: Readonly<Record<string, unknown>>): Reply => ({ kind: 'done', body })

/** Builds a refusal. SDKs split its message at ' : ' into a code and an explanation. */
export const buildRefusal = (code: string, explanation?: string): Refusal => ({
  kind: 'refused',
  message: explanation ? `${code} : ${explanation}` : code,
})

export const isRefusal = (value: object): value is Refusal => 'kind' in value && value.kind === 'refused'

/** A string field. Like the service, treats a missing field as empty. */
export const textField = z.string().default('')

/**
 * Defines an operation whose request must match `schema`. Fields and values outside the schema are reported
 * as features that the emulator lacks, not as errors of the caller.
 */
export function defineOperation<Schema extends z.ZodType>(
  schema: Schema,
  handle: (core: AuthContext, request: z.output<Schema>, call: CallContext) => Reply | Promise<Reply>,
): Operation {
  return async (core, request, call) => {
    const parsed = schema.safeParse(request)
    if (parsed.success) return handle(core, parsed.data, call)
    const unknown = parsed.error.issues.flatMap((issue) => {
      if (issue.code === 'unrecognized_keys') return issue.keys
      return issue.code === 'invalid_value' || issue.code === 'invalid_union' ? issue.path.map(String) : []
    })
    return unknown.length > 0
      ? { kind: 'unknown', what: `field ${unknown.join(', ')}` }
      : buildRefusal('INVALID_ARGUMENT', z.prettifyError(parsed.error))
  }
}

/** Returns the language of a language tag; French by default. */
export const parseLanguage = (tag: string | undefined): Language =>
  tag?.toLowerCase().startsWith('en') ? 'en' : 'fr'
