import { API, type FunctionName } from '../../../domain/api/api.ts'

/** The properties of a function that concern its callers. */
type Entry = SignedIn | Public

/** Called with an ID token. */
interface SignedIn {
  readonly method: 'GET' | 'POST'
  /** How often one user may call the function in ten minutes. */
  readonly most: number
  /** Set if the function begins a payment or a plan: the account must then exist and not be disabled. */
  readonly beginsPayment?: true
}

/** Called without a token. */
interface Public {
  readonly method: 'GET' | 'POST'
  /**
   * Describes what protects the function instead of a token. The function's own tests check that protection.
   */
  readonly guardedBy: string
  /** Another method that some callers use for the same purpose. */
  readonly orMethod?: 'PUT' | 'HEAD'
  /**
   * Path of a function whose URL users see; others are below `/.netlify/functions/`. The host reads it from
   * the function's own file.
   */
  readonly path?: string
}

/**
 * All functions, by the names of their files in `netlify/functions/`: those of the API, and those that only
 * Stripe, payout providers, recipients and the host call. This file imports no function, because each
 * function is bundled separately.
 *
 * The limits are several times what the app does for a hurried user with two devices, and together only a
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

/** Name of a function, including those that only Stripe and the host call. */
export type RegisteredFunctionName = keyof typeof FUNCTIONS

type Named<Kind> = {
  [Name in RegisteredFunctionName]: (typeof FUNCTIONS)[Name] extends Kind ? Name : never
}[RegisteredFunctionName]

/** Name of a function that requires a signed-in user. */
export type GuardedFunctionName = Named<SignedIn>
export type PublicFunctionName = Named<Public>

export const isPublicFunction = (name: RegisteredFunctionName): name is PublicFunctionName =>
  'guardedBy' in FUNCTIONS[name]

/** Returns the path of a function; it ends with `/*` if the function accepts any path below. */
export function getFunctionPath(name: string): string {
  const paths: Readonly<Record<string, object>> = FUNCTIONS
  const entry = paths[name] ?? {}
  return 'path' in entry && typeof entry.path === 'string' ? entry.path : `/.netlify/functions/${name}`
}

/** Returns the entry of a function that requires a signed-in user. */
export const getGuardedEntry = (name: GuardedFunctionName): SignedIn => FUNCTIONS[name]
