import { DESTINATIONS } from '../../../domain/destinations.ts'
import { bad, type Check, type Finding, good, orElse, type Subject, unknown } from './findings.ts'
import { fetchResource } from './firebaseApi.ts'

export const authChecks: readonly Check[] = [['The settings of the sign-in', checkSignIn]]

/** The project's configuration. Google leaves out what is off or empty. */
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

async function checkSignIn({ settings, site }: Subject): Promise<readonly Finding[]> {
  const config = await fetchResource<Config>(settings, 'auth', `projects/${settings.projectId}/config`)
  const methods = { 'Email/Password': config.signIn?.email, Phone: config.signIn?.phoneNumber }
  const problems = Object.entries(methods).flatMap(([method, state]) =>
    state?.enabled
      ? []
      : bad(`The sign-in method ${method} is off.`, `${CONSOLE}, Sign-in method: switch ${method} on.`),
  )
  const host = site && new URL(site).hostname
  if (host && !config.authorizedDomains?.includes(host))
    problems.push(
      bad(
        `${host} is not among the authorized domains, so no code can be sent by text message there.`,
        `${CONSOLE}, Settings, Authorized domains: add ${host}.`,
      ),
    )
  return [
    // Both are supported, with different answers to a mistyped address: docs/deploying.md, Firebase.
    good(
      config.emailPrivacyConfig?.enableImprovedEmailPrivacy
        ? 'The protection against e-mail enumeration is on: an unknown address and a wrong password get the same answer.'
        : 'The protection against e-mail enumeration is off: an unknown address leads to the sign-up.',
    ),
    ...orElse(
      [...problems, ...checkRegions(config)],
      'Users can sign in by e-mail and by phone, as far as the settings say.',
    ),
  ]
}

/** Without a policy, the default depends on the age of the project. */
function checkRegions({
  smsRegionConfig: { allowlistOnly, allowByDefault } = {},
}: Config): readonly Finding[] {
  const remedy = `${CONSOLE}, Settings, SMS region policy: allow France, Canada and Guinea.`
  if (!allowlistOnly && !allowByDefault) return [unknown('No SMS region policy is set.', remedy)]
  const closed = DESTINATIONS.filter(({ code }) =>
    allowlistOnly
      ? !allowlistOnly.allowedRegions?.includes(code)
      : allowByDefault?.disallowedRegions?.includes(code),
  ).map(({ name }) => name)
  return closed.length > 0 ? [bad(`Text messages may not go to ${closed.join(', ')}.`, remedy)] : []
}
