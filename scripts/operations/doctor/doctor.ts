import { listEmulatorSettings } from '../../../domain/settings/appSettings.ts'
import { createPayoutContext } from '../../../netlify/server/payouts/createContext.ts'
import type { Variables } from '../../../netlify/server/platform/settings.ts'
import { authChecks } from './auth.ts'
import {
  buildFailureFinding,
  buildUnknownFinding,
  type DoctorSubject,
  type Finding,
  listFindings,
} from './findings.ts'
import { mailChecks } from './mail.ts'
import { paymentChecks } from './payments.ts'
import { payoutChecks } from './payouts.ts'
import { firebaseChecks } from './rulesAndIndexes.ts'
import { checkAppSettings, checkFunctionSettings } from './settings.ts'
import { siteChecks } from './site.ts'
import { stripeChecks } from './stripe.ts'
import { taskChecks } from './tasks.ts'

const CHECKS = [
  ...firebaseChecks,
  ...authChecks,
  ...paymentChecks,
  ...payoutChecks,
  ...taskChecks,
  ...mailChecks,
  ...stripeChecks,
  ...siteChecks,
]

/** Changes nothing. Calls the services only if the functions' settings are readable. `now`: UTC ms. */
export async function diagnose(
  variables: Variables,
  { site, now = Date.now }: { readonly site: string | null; readonly now?: () => number },
): Promise<readonly Finding[]> {
  const isDeployed = site?.startsWith('https://') === true
  const { settings, findings } = checkFunctionSettings(variables, isDeployed)
  // The functions and the app share some settings.
  const problems = checkAppSettings(variables, isDeployed).filter(
    ({ said }) => !findings.some((finding) => finding.said === said),
  )
  const all = [...findings, ...problems]
  if (!settings)
    return [
      ...all,
      buildUnknownFinding(
        'Firebase and Stripe were not checked.',
        'Correct the settings first, then repeat the command.',
      ),
    ]
  const isSandbox = listEmulatorSettings(variables).length > 0
  const subject: DoctorSubject = {
    settings,
    site,
    isSandbox,
    context: createPayoutContext(settings, { now, log: () => {} }),
  }
  const checked = CHECKS.map(async ([what, check]) => {
    try {
      return await listFindings(check(subject))
    } catch (error) {
      return [buildFailureFinding(what, error)]
    }
  })
  try {
    return [...all, ...(await Promise.all(checked)).flat()]
  } finally {
    await subject.context.db.terminate()
  }
}
