import { API, type FunctionName } from '../../../domain/api.ts'

/** A function as its callers meet it. */
type Entry = SignedIn | Public

/** Asked with an ID token. */
interface SignedIn {
  readonly method: 'GET' | 'POST'
  /** How often one person may call it in ten minutes. */
  readonly most: number
  /** A payment or a plan begins with it, so its caller's account has to be in order. */
  readonly beginsPayment?: true
}

/** Asked without a token. */
interface Public {
  readonly method: 'GET' | 'POST'
  /** What guards it instead. Its own tests show that it does. */
  readonly guardedBy: string
  /** Some callers use this method for the same. */
  readonly orMethod?: 'PUT' | 'HEAD'
  /** Where it answers, when that is not below `/.netlify/functions/`: people see the address. The function's own file says it to the host. */
  readonly path?: string
}

/**
 * All functions, by the names of their files in `netlify/functions/`: those of the API, and those that only Stripe, payout
 * providers, recipients and the host call. It names no code, because each function is packed by itself.
 *
 * The limits are several times what the app does for somebody in a hurry with two devices, and together so little of the
 * provider's quota that nobody misses it.
 */
export const FUNCTIONS = {
  ...API,
  'stripe-webhook': { method: 'POST', guardedBy: "the provider's signature" },
  'delivery-callback': {
    method: 'POST',
    guardedBy: 'what it says is only a hint to ask the provider, once a second for a transfer at most',
    orMethod: 'PUT',
  },
  'recipient-page': {
    method: 'GET',
    guardedBy: 'the signature in its address, limited by network',
    // Checkers of links ask for the head of a page alone.
    orMethod: 'HEAD',
    path: '/t/*',
  },
  sweep: {
    method: 'POST',
    guardedBy: 'it runs on a schedule, has no address in production, and does only what is due',
  },
} as const satisfies Readonly<Record<FunctionName, Entry> & Record<string, Entry>>

/** With those that only the provider and the host call. */
export type RegisteredName = keyof typeof FUNCTIONS

type Named<Kind> = {
  [Name in RegisteredName]: (typeof FUNCTIONS)[Name] extends Kind ? Name : never
}[RegisteredName]

/** The functions that somebody signs in for. */
export type GuardedName = Named<SignedIn>
export type PublicName = Named<Public>

export const isPublic = (name: RegisteredName): name is PublicName => 'guardedBy' in FUNCTIONS[name]

/** Where a function answers; with `/*` for whatever follows. */
export function pathOf(name: string): string {
  const paths: Readonly<Record<string, object>> = FUNCTIONS
  const entry = paths[name] ?? {}
  return 'path' in entry && typeof entry.path === 'string' ? entry.path : `/.netlify/functions/${name}`
}

/** What holds of a function that somebody signs in for. */
export const guardedEntry = (name: GuardedName): SignedIn => FUNCTIONS[name]
