import { API, type FunctionName } from '../../../domain/api/api.ts'

type Entry = SignedIn | Public

interface SignedIn {
  readonly method: 'GET' | 'POST'
  /** Calls of one user in ten minutes. */
  readonly most: number
  /** The account must exist and not be disabled. */
  readonly beginsPayment?: true
}

interface Public {
  readonly method: 'GET' | 'POST'
  /** The protection that replaces a token; the function's own tests check it. */
  readonly guardedBy: string
  readonly orMethod?: 'PUT' | 'HEAD'
  /** The host reads it from the function's own file. Other functions are below `/.netlify/functions/`. */
  readonly path?: string
}

/**
 * All functions, by the names of their files in `netlify/functions/`. Imports none, because each is bundled
 * separately. The limits are several times what a hurried user with two devices needs, and together only a
 * small part of Stripe's quota.
 */
export const FUNCTIONS = {
  ...API,
  'stripe-webhook': { method: 'POST', guardedBy: "Stripe's signature" },
  'delivery-callback': {
    method: 'POST',
    guardedBy: 'it only triggers a query to the provider, at most once a second for each transfer',
    orMethod: 'PUT',
  },
  'recipient-page': {
    method: 'GET',
    guardedBy: 'the signature in its address, and a limit for each network',
    // Link checkers send HEAD requests.
    orMethod: 'HEAD',
    path: '/t/*',
  },
  'run-task': { method: 'POST', guardedBy: 'an ID token that Google signs for the service account' },
  'due-work': {
    method: 'POST',
    guardedBy: 'it runs on a schedule, has no address in production, and does only what is due',
  },
} as const satisfies Readonly<Record<FunctionName, Entry> & Record<string, Entry>>

export type RegisteredFunctionName = keyof typeof FUNCTIONS

type Named<Kind> = {
  [Name in RegisteredFunctionName]: (typeof FUNCTIONS)[Name] extends Kind ? Name : never
}[RegisteredFunctionName]

export type GuardedFunctionName = Named<SignedIn>
export type PublicFunctionName = Named<Public>

export const isPublicFunction = (name: RegisteredFunctionName): name is PublicFunctionName =>
  'guardedBy' in FUNCTIONS[name]

/** Ends with `/*` if the function accepts any path below. */
export function getFunctionPath(name: string): string {
  const paths: Readonly<Record<string, object>> = FUNCTIONS
  const entry = paths[name] ?? {}
  return 'path' in entry && typeof entry.path === 'string' ? entry.path : `/.netlify/functions/${name}`
}

export const getGuardedEntry = (name: GuardedFunctionName): SignedIn => FUNCTIONS[name]
