import { existsSync, readFileSync } from 'node:fs'
import { parseEnv } from 'node:util'
import * as v from 'valibot'
import { CommandError } from './commandError.ts'

export interface Deployment {
  readonly variables: Readonly<Record<string, string | undefined>>
  readonly site: string | null
}

interface Choice {
  readonly sandbox?: boolean | undefined
  readonly env?: string | undefined
  readonly site?: string | undefined
}

export const DEPLOYMENT_HELP = `Deployment:
  --sandbox      a running 'npm start' (with --site http://localhost:8080 if its port is not 5173)
  --env FILE     settings in a file of NAME=value lines, as 'npx netlify env:list --plain' writes them
  (neither)      settings in the environment
  --site URL     the address of the app, if the settings have no URL`

/** @throws CommandError if the command line chooses no settings. */
export async function readDeployment(choice: Choice): Promise<Deployment> {
  if (choice.sandbox) {
    const site = parseOrigin(choice.site ?? 'http://localhost:5173')
    return { variables: { ...readEnvFile('.env.sandbox'), ...(await fetchSandboxSettings(site)) }, site }
  }
  const variables = readVariables(choice)
  if (!variables.FIREBASE_PROJECT_ID && !variables.STRIPE_SECRET_KEY)
    throw new CommandError(`No settings were found. Choose the deployment.\n${DEPLOYMENT_HELP}`)
  // Netlify sets URL.
  const site = choice.site ?? variables.URL
  return { variables, site: site ? parseOrigin(site) : null }
}

/** From a file or the environment. */
export const readVariables = ({ env }: Pick<Choice, 'env'>): Deployment['variables'] =>
  env === undefined ? process.env : readEnvFile(env)

function readEnvFile(path: string): Record<string, string | undefined> {
  if (!existsSync(path)) throw new CommandError(`There is no file ${path}.`)
  return parseEnv(readFileSync(path, 'utf8'))
}

async function fetchSandboxSettings(site: string): Promise<Record<string, string>> {
  const response = await fetch(`${site}/sandbox/settings.json`).catch(() => null)
  if (!response?.ok) throw new CommandError(`No sandbox answers at ${site}. Start one with 'npm start'.`)
  return v.parse(v.record(v.string(), v.string()), await response.json())
}

function parseOrigin(address: string): string {
  if (!URL.canParse(address)) throw new CommandError(`${address} is not a URL: write https://…`)
  return new URL(address).origin
}
