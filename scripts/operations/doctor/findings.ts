import Stripe from 'stripe'
import { ValidationError } from '../../../domain/common/schema.ts'
import type { PayoutContext } from '../../../netlify/server/payouts/payoutContext.ts'
import type { FunctionSettings } from '../../../netlify/server/payouts/settings.ts'
import { ApiRefusedError } from './firebaseApi.ts'

/** `warning`: works, but costs money. `unknown`: the check itself failed. Texts contain no secret. */
export interface Finding {
  readonly verdict: 'good' | 'warning' | 'bad' | 'unknown'
  readonly said: string
  readonly remedy?: string
}

const createBuilder =
  (verdict: Finding['verdict']) =>
  (said: string, remedy?: string): Finding => ({ verdict, said, ...(remedy !== undefined && { remedy }) })
export const buildGoodFinding = createBuilder('good')
export const buildBadFinding = createBuilder('bad')
export const buildWarning = createBuilder('warning')
export const buildUnknownFinding = createBuilder('unknown')

export const SETTINGS_REMEDY = 'Correct the setting: docs/deploying.md, Settings.'

export function reportFindings(problems: readonly (Finding | null)[], otherwise: string): readonly Finding[] {
  const found = problems.filter((problem) => problem !== null)
  return found.length > 0 ? found : [buildGoodFinding(otherwise)]
}

export interface DoctorSubject {
  readonly context: PayoutContext
  readonly settings: FunctionSettings
  readonly site: string | null
  /** A sandbox's legal pages may be templates. */
  readonly isSandbox: boolean
}

/** `what` names the check in the report if its service does not respond. */
export type DoctorCheck = readonly [what: string, check: (subject: DoctorSubject) => AsyncIterable<Finding>]

export async function listFindings(found: AsyncIterable<Finding>): Promise<readonly Finding[]> {
  const all: Finding[] = []
  for await (const finding of found) all.push(finding)
  return all
}

const SITE_REMEDY = 'Add the address of the app: npm run ops -- doctor --site https://…'

export const createSiteCheck = (
  what: string,
  check: (site: string, subject: DoctorSubject) => AsyncIterable<Finding>,
): DoctorCheck => [
  what,
  async function* checkSite(subject) {
    if (subject.site === null) yield buildUnknownFinding(`${what}: not checked.`, SITE_REMEDY)
    else yield* check(subject.site, subject)
  },
]

/** Messages of SDKs are left out, because they quote the request. */
export function buildFailureFinding(what: string, error: unknown): Finding {
  if (error instanceof Stripe.errors.StripeAuthenticationError)
    return buildBadFinding(`${what}: Stripe does not accept STRIPE_SECRET_KEY.`, SETTINGS_REMEDY)
  if (error instanceof Stripe.errors.StripePermissionError)
    return buildUnknownFinding(
      `${what}: the key in STRIPE_SECRET_KEY lacks a permission.`,
      'Give the restricted key the permission to read it.',
    )
  if (error instanceof ValidationError)
    return buildBadFinding(
      `${what}: a document is malformed (${error.message}).`,
      'Correct it in the Firebase console, Firestore: the text in brackets names its collection and field.',
    )
  const { name, cause, code } = error as { name?: string; cause?: { code?: unknown }; code?: unknown }
  const status = error instanceof ApiRefusedError ? error.status : code
  if (status === 401 || status === 16 || code === 'app/invalid-credential')
    return buildBadFinding(`${what}: Firebase does not accept the service account.`, SETTINGS_REMEDY)
  if (status === 403 || status === 7)
    return buildUnknownFinding(
      `${what}: the service account lacks a permission.`,
      "Give it the roles 'Firebase Rules Viewer', 'Cloud Datastore Viewer', 'Firebase Authentication Viewer' and, with task queues, 'Cloud Tasks Viewer' in Google Cloud, IAM.",
    )
  return buildBadFinding(
    `${what}: no valid response (${[name, cause?.code ?? status].filter(Boolean).join(' ')}).`,
    'Check the address and whether the service is available, then repeat the command.',
  )
}

const SIGNS = { good: 'ok      ', warning: 'WARNING ', bad: 'WRONG   ', unknown: 'UNKNOWN ' } as const

export const formatFinding = ({ verdict, said, remedy }: Finding): string[] => [
  `${SIGNS[verdict]}${said}`,
  ...(remedy ? [`        ${remedy}`] : []),
]
