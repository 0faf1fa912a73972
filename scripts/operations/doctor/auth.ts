import { DESTINATIONS } from '../../../domain/numbers/destinations.ts'
import {
  buildBadFinding,
  buildGoodFinding,
  buildUnknownFinding,
  type DoctorCheck,
  type DoctorSubject,
  type Finding,
  reportFindings,
} from './findings.ts'
import { fetchResource } from './firebaseApi.ts'

export const authChecks: readonly DoctorCheck[] = [['The sign-in settings', checkSignIn]]

/** Google leaves out settings that are off or empty. */
interface Config {
  readonly emailPrivacyConfig?: { readonly enableImprovedEmailPrivacy?: boolean }
  readonly authorizedDomains?: readonly string[]
  readonly signIn?: Readonly<Partial<Record<'email' | 'phoneNumber', { readonly enabled?: boolean }>>>
  readonly smsRegionConfig?: {
    readonly allowByDefault?: { readonly disallowedRegions?: readonly string[] }
    readonly allowlistOnly?: { readonly allowedRegions?: readonly string[] }
  }
}

const CONSOLE = 'In the Firebase console, Authentication'

async function* checkSignIn({ settings, site }: DoctorSubject) {
  const config = await fetchResource<Config>(settings, 'auth', `projects/${settings.projectId}/config`)
  const methods = { 'Email/Password': config.signIn?.email, Phone: config.signIn?.phoneNumber }
  const problems = Object.entries(methods).flatMap(([method, state]) =>
    state?.enabled
      ? []
      : buildBadFinding(
          `The sign-in method ${method} is off.`,
          `${CONSOLE}, Sign-in method: switch ${method} on.`,
        ),
  )
  const host = site && new URL(site).hostname
  if (host && !config.authorizedDomains?.includes(host))
    problems.push(
      buildBadFinding(
        `${host} is not an authorized domain, so the app there can't send codes by text message.`,
        `${CONSOLE}, Settings, Authorized domains: add ${host}.`,
      ),
    )
  // The app supports both states of the protection (docs/deploying.md, Firebase).
  yield buildGoodFinding(
    config.emailPrivacyConfig?.enableImprovedEmailPrivacy
      ? 'E-mail enumeration protection is on: an unknown address and a wrong password get the same response.'
      : 'E-mail enumeration protection is off: the app offers to sign up with an unknown address.',
  )
  yield* reportFindings(
    [...problems, ...checkRegions(config)],
    'The settings allow users to sign in by e-mail and by phone.',
  )
}

/** Without a policy, the default depends on the age of the project. */
function checkRegions({
  smsRegionConfig: { allowlistOnly, allowByDefault } = {},
}: Config): readonly Finding[] {
  const remedy = `${CONSOLE}, Settings, SMS region policy: allow France, Canada and Guinea.`
  if (!allowlistOnly && !allowByDefault) return [buildUnknownFinding('No SMS region policy is set.', remedy)]
  const closed = DESTINATIONS.filter(({ code }) =>
    allowlistOnly
      ? !allowlistOnly.allowedRegions?.includes(code)
      : allowByDefault?.disallowedRegions?.includes(code),
  ).map(({ name }) => name)
  return closed.length > 0
    ? [buildBadFinding(`The SMS region policy blocks text messages to ${closed.join(', ')}.`, remedy)]
    : []
}
