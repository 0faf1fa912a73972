import { readSettings, type Settings, SettingsError } from '../../../netlify/server/platform/settings.ts'
import { checkSettings, emulatorSettings } from '../../../src/services/checkSettings.ts'
import { bad, type Finding, good, SETTINGS_REMEDY } from './findings.ts'

export type Variables = Readonly<Record<string, string | undefined>>

/** Checks the settings of the functions. `settings` is null if they can't be read. */
export function checkFunctionSettings(
  variables: Variables,
  isDeployed: boolean,
): { readonly settings: Settings | null; readonly findings: readonly Finding[] } {
  try {
    const settings = readSettings({ ...variables, ...(isDeployed && { CONTEXT: 'production' }) })
    const push = settings.push ? 'on' : 'off (docs/deploying.md, Notifications)'
    return {
      settings,
      findings: [
        good('The settings of the functions are all there and well formed.'),
        good(`Notifications with the app closed are ${push}.`),
      ],
    }
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error
    const findings = error.problems.map((problem) => bad(`${problem}.`, SETTINGS_REMEDY))
    return { settings: null, findings }
  }
}

/** Checks the settings that the app is built with, and that they name the same services as those of the functions. */
export function checkAppSettings(variables: Variables, isDeployed: boolean): readonly Finding[] {
  const problems = checkSettings(variables).map(({ setting, kind }) =>
    bad(`${setting} is ${kind}.`, SETTINGS_REMEDY),
  )
  for (const name of ['FIREBASE_PROJECT_ID', 'FIREBASE_STORAGE_BUCKET']) {
    const [ofFunctions, ofApp] = [variables[name], variables[`VITE_${name}`]]
    if (ofFunctions && ofApp && ofFunctions !== ofApp)
      problems.push(bad(`${name} and VITE_${name} are different.`, 'Use the values of one Firebase project.'))
  }
  const project = parseProjectOfAccount(variables.FIREBASE_SERVICE_ACCOUNT)
  if (project !== null && variables.FIREBASE_PROJECT_ID && project !== variables.FIREBASE_PROJECT_ID)
    problems.push(
      bad('FIREBASE_SERVICE_ACCOUNT is of another project than FIREBASE_PROJECT_ID.', SETTINGS_REMEDY),
    )
  if (isDeployed)
    for (const name of emulatorSettings(variables))
      problems.push(
        bad(`${name} points the app to an emulator or a sandbox.`, 'Remove the setting and build again.'),
      )
  return problems.length > 0
    ? problems
    : [good('The settings of the app are all there, well formed, and of the same project.')]
}

function parseProjectOfAccount(text: string | undefined): string | null {
  try {
    const { project_id: project } = JSON.parse(text ?? '') as { project_id?: unknown }
    return typeof project === 'string' ? project : null
  } catch {
    return null
  }
}
