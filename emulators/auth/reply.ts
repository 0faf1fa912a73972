import * as v from 'valibot'
import { listUnknownKeys } from '../unknownKeys.ts'
import type { AuthContext, Language } from './state.ts'

/** Ends a call with the service's error. */
export class AuthRefusal extends Error {
  readonly code: string

  /** SDKs split the message at ' : ' into a code and an explanation. */
  constructor(code: string, explanation?: string) {
    super(explanation ? `${code} : ${explanation}` : code)
    this.code = code
  }
}

export function failAuth(code: string, explanation?: string): never {
  throw new AuthRefusal(code, explanation)
}

/** A part of the service that the emulator lacks. */
export class UnknownFeature extends Error {}

export interface CallContext {
  readonly apiKey: string
  readonly language: Language
}

export type Operation = (core: AuthContext, request: unknown, call: CallContext) => Promise<object>

/** Like the service, treats a missing field as empty. */
export const textField = v.optional(v.string(), '')

/** Fields and values outside the schema are features that the emulator lacks, not errors of the caller. */
export function defineOperation<Schema extends v.GenericSchema>(
  schema: Schema,
  handle: (core: AuthContext, request: v.InferOutput<Schema>, call: CallContext) => object | Promise<object>,
): Operation {
  return async (core, request, call) => {
    const { success, output, issues } = v.safeParse(schema, request)
    if (success) return handle(core, output, call)
    const isOther = ({ type }: v.BaseIssue<unknown>) => type === 'literal' || type === 'variant'
    const unknown = [
      ...listUnknownKeys(issues),
      ...issues.filter(isOther).map((issue) => v.getDotPath(issue)),
    ]
    if (unknown.length > 0) throw new UnknownFeature(`field ${unknown.join(', ')}`)
    return failAuth('INVALID_ARGUMENT', v.summarize(issues))
  }
}

export const parseLanguage = (tag: string | undefined): Language =>
  tag?.toLowerCase().startsWith('en') ? 'en' : 'fr'
