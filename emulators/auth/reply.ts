import { z } from 'zod'
import type { Core, Language } from './core.ts'

/** The service says no, with one of its published error codes. */
export interface Refusal {
  readonly kind: 'refused'
  readonly message: string
}

export type Reply =
  | { readonly kind: 'done'; readonly body: Readonly<Record<string, unknown>> }
  | Refusal
  /** Asked for something that this emulator does not have. */
  | { readonly kind: 'unknown'; readonly what: string }

/** What an operation learns about a call besides its body. */
export interface Call {
  readonly apiKey: string
  readonly language: Language
}

export type Operation = (core: Core, request: unknown, call: Call) => Promise<Reply>

export const done = (body: Readonly<Record<string, unknown>>): Reply => ({ kind: 'done', body })

/** SDKs split the message at ' : ' into the code and a text for people. */
export const refuse = (code: string, explanation?: string): Refusal => ({
  kind: 'refused',
  message: explanation ? `${code} : ${explanation}` : code,
})

export const isRefusal = (value: object): value is Refusal => 'kind' in value && value.kind === 'refused'

/** A string field. The service does not tell an empty one from one that is not there. */
export const text = z.string().default('')

/**
 * An operation of the protocol that takes what `schema` allows. A field or a choice that the schema
 * does not name is a feature that is not there, not a mistake of the caller.
 */
export function operation<Schema extends z.ZodType>(
  schema: Schema,
  handle: (core: Core, request: z.output<Schema>, call: Call) => Reply | Promise<Reply>,
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
      : refuse('INVALID_ARGUMENT', z.prettifyError(parsed.error))
  }
}

/** French is the product's first language. */
export const languageOf = (tag: string | undefined): Language =>
  tag?.toLowerCase().startsWith('en') ? 'en' : 'fr'
