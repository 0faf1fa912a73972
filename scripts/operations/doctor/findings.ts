import Stripe from 'stripe'
import type { PayoutContext } from '../../../netlify/server/payouts/payoutContext.ts'
import type { Settings } from '../../../netlify/server/platform/settings.ts'
import { NotAnswered } from './firebaseApi.ts'

/** `unknown`: it could not be checked. `said` and `remedy` are whole sentences, and contain no secret. */
export interface Finding {
  readonly verdict: 'good' | 'bad' | 'unknown'
  readonly said: string
  readonly remedy?: string
}

/** With a remedy: nothing is wrong, but something optional is missing. */
export const good = (said: string, remedy?: string): Finding => ({
  verdict: 'good',
  said,
  ...(remedy !== undefined && { remedy }),
})
export const bad = (said: string, remedy: string): Finding => ({ verdict: 'bad', said, remedy })
export const unknown = (said: string, remedy: string): Finding => ({ verdict: 'unknown', said, remedy })

export const SETTINGS_REMEDY = 'Correct the setting: docs/deploying.md, Settings.'

/** Returns the problems, or that all is well. */
export function orElse(problems: readonly (Finding | null)[], otherwise: string): readonly Finding[] {
  const found = problems.filter((problem) => problem !== null)
  return found.length > 0 ? found : [good(otherwise)]
}

/** The deployment that the doctor checks. */
export interface Subject {
  readonly context: PayoutContext
  readonly settings: Settings
  /** The origin of the app and its functions; null if unknown. */
  readonly site: string | null
  /** A sandbox, where legal pages may be templates. */
  readonly isSandbox: boolean
}

/** A part of the deployment, as the error of a service that does not answer names it. */
export type Check = readonly [what: string, check: (subject: Subject) => Promise<readonly Finding[]>]

/** A check that needs the address of the app. */
export const siteCheck = (
  what: string,
  check: (site: string, subject: Subject) => Promise<readonly Finding[]>,
): Check => [
  what,
  async (subject) =>
    subject.site === null
      ? [
          unknown(
            `${what}: not checked.`,
            'Add the address of the app: npm run ops -- doctor --site https://…',
          ),
        ]
      : check(subject.site, subject),
]

/** Describes a service that failed. The SDKs' own messages are left out: they quote the request. */
export function describeFailure(what: string, error: unknown): Finding {
  if (error instanceof Stripe.errors.StripeAuthenticationError)
    return bad(`${what}: Stripe does not accept STRIPE_SECRET_KEY.`, SETTINGS_REMEDY)
  if (error instanceof Stripe.errors.StripePermissionError)
    return unknown(
      `${what}: the key in STRIPE_SECRET_KEY may not ask.`,
      'Give the restricted key the permission to read it.',
    )
  const { name, cause, code } = error as { name?: string; cause?: { code?: unknown }; code?: unknown }
  const status = error instanceof NotAnswered ? error.status : code
  if (status === 401 || status === 16 || code === 'app/invalid-credential')
    return bad(`${what}: Firebase does not accept the service account.`, SETTINGS_REMEDY)
  if (status === 403 || status === 7)
    return unknown(
      `${what}: the service account may not ask.`,
      "Give it the roles 'Firebase Rules Viewer', 'Cloud Datastore Viewer' and 'Firebase Authentication Viewer' in Google Cloud, IAM.",
    )
  return bad(
    `${what}: no usable answer (${[name, cause?.code ?? status].filter(Boolean).join(' ')}).`,
    'See that the address is right and the service is up; then ask again.',
  )
}

const SIGNS = { good: 'ok      ', bad: 'WRONG   ', unknown: 'UNKNOWN ' } as const

/** Formats a finding for a terminal. */
export const formatFinding = ({ verdict, said, remedy }: Finding): string[] => [
  `${SIGNS[verdict]}${said}`,
  ...(remedy ? [`        ${remedy}`] : []),
]
