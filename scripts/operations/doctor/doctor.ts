import { createPayoutContext } from '../../../netlify/server/payouts/createContext.ts'
import { emulatorSettings } from '../../../src/services/checkSettings.ts'
import { authChecks } from './auth.ts'
import { describeFailure, type Finding, type Subject, unknown } from './findings.ts'
import { firestoreChecks } from './firestore.ts'
import { paymentChecks } from './payments.ts'
import { payoutChecks } from './payouts.ts'
import { checkAppSettings, checkFunctionSettings, type Variables } from './settings.ts'
import { siteChecks } from './site.ts'
import { storageChecks } from './storage.ts'
import { stripeChecks } from './stripe.ts'

const CHECKS = [
  ...firestoreChecks,
  ...storageChecks,
  ...authChecks,
  ...paymentChecks,
  ...payoutChecks,
  ...stripeChecks,
  ...siteChecks,
]

/**
 * Checks everything that the product needs, and changes nothing. Reports all problems at once, but asks the services only if the
 * functions' settings can be read.
 *
 * @param variables the settings of the app and of the functions.
 * @param site the origin of the deployment.
 * @param now UTC milliseconds.
 */
export async function diagnose(
  variables: Variables,
  { site, now = Date.now }: { readonly site: string | null; readonly now?: () => number },
): Promise<readonly Finding[]> {
  const isDeployed = site?.startsWith('https://') === true
  const { settings, findings } = checkFunctionSettings(variables, isDeployed)
  const all = [...findings, ...checkAppSettings(variables, isDeployed)]
  if (!settings)
    return [
      ...all,
      unknown('Firebase and Stripe were not asked.', 'Correct the settings first, then ask again.'),
    ]
  const isSandbox = emulatorSettings(variables).length > 0
  const subject: Subject = { settings, site, isSandbox, context: createPayoutContext(settings, { now }) }
  const checked = CHECKS.map(async ([what, check]) => {
    try {
      return await check(subject)
    } catch (error) {
      return [describeFailure(what, error)]
    }
  })
  try {
    return [...all, ...(await Promise.all(checked)).flat()]
  } finally {
    await subject.context.db.terminate()
  }
}
