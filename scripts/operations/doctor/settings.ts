import * as v from 'valibot'
import { money } from '../../../domain/money/money.ts'
import { listEmulatorSettings, listSettingProblems } from '../../../domain/settings/appSettings.ts'
import { type FunctionSettings, readFunctionSettings } from '../../../netlify/server/payouts/settings.ts'
import { SettingsError, type Variables } from '../../../netlify/server/platform/settings.ts'
import { formatAmount } from '../format.ts'
import {
  buildBadFinding,
  buildGoodFinding,
  type Finding,
  reportFindings,
  SETTINGS_REMEDY,
} from './findings.ts'
import { checkWallets } from './wallets.ts'

export function checkFunctionSettings(
  variables: Variables,
  isDeployed: boolean,
): { readonly settings: FunctionSettings | null; readonly findings: readonly Finding[] } {
  try {
    const settings = readFunctionSettings({ ...variables, ...(isDeployed && { CONTEXT: 'production' }) })
    const push = settings.push ? 'on' : 'off (docs/deploying.md, Notifications)'
    return {
      settings,
      findings: [
        ...reportFindings(
          settings.receiptProblems.map((problem) =>
            buildBadFinding(`${problem}.`, `Receipts have no code until then. ${SETTINGS_REMEDY}`),
          ),
          'All settings of the functions are present and valid.',
        ),
        buildGoodFinding(`Push notifications are ${push}.`),
        ...(settings.identityLimitCents === null
          ? []
          : [
              buildGoodFinding(
                `Above ${formatAmount(money(settings.identityLimitCents, 'EUR'))} a month, a transfer needs an approved document (VITE_IDENTITY_REQUIRED_FROM).`,
              ),
            ]),
        ...checkWallets(settings),
      ],
    }
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error
    const findings = error.problems.map((problem) => buildBadFinding(`${problem}.`, SETTINGS_REMEDY))
    return { settings: null, findings }
  }
}

/** The app and the functions must name the same services. */
export function checkAppSettings(variables: Variables, isDeployed: boolean): readonly Finding[] {
  const problems = listSettingProblems(variables).map((problem) =>
    buildBadFinding(`${problem}.`, SETTINGS_REMEDY),
  )
  for (const name of ['FIREBASE_PROJECT_ID', 'FIREBASE_STORAGE_BUCKET']) {
    const [ofFunctions, ofApp] = [variables[name], variables[`VITE_${name}`]]
    if (ofFunctions && ofApp && ofFunctions !== ofApp)
      problems.push(
        buildBadFinding(`${name} and VITE_${name} differ.`, 'Use the values of one Firebase project.'),
      )
  }
  const { project_id: project } = v.parse(serviceAccountSchema, variables.FIREBASE_SERVICE_ACCOUNT)
  if (project !== null && variables.FIREBASE_PROJECT_ID && project !== variables.FIREBASE_PROJECT_ID)
    problems.push(
      buildBadFinding(
        'FIREBASE_SERVICE_ACCOUNT and FIREBASE_PROJECT_ID are of different projects.',
        SETTINGS_REMEDY,
      ),
    )
  if (isDeployed)
    for (const name of listEmulatorSettings(variables))
      problems.push(
        buildBadFinding(
          `${name} points the app to an emulator or a sandbox.`,
          'Remove the setting and build again.',
        ),
      )
  return problems.length > 0
    ? problems
    : [buildGoodFinding('All settings of the app are present, valid and of the same project.')]
}

const serviceAccountSchema = v.fallback(
  v.pipe(v.string(), v.parseJson(), v.object({ project_id: v.nullable(v.string()) })),
  { project_id: null },
)
