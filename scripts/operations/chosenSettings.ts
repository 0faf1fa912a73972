import { existsSync, readFileSync } from 'node:fs'
import { parseArgs, parseEnv } from 'node:util'

/** What somebody has to do before the command can work; shown as it is. */
export class Usage extends Error {}

export interface Chosen {
  /** The settings of the app and of the functions, by their names. */
  readonly variables: Readonly<Record<string, string | undefined>>
  /** The origin of the deployment; null when nobody said. */
  readonly site: string | null
  /** What else stands on the command line. */
  readonly rest: readonly string[]
  /** The options that the command has besides, where somebody has said them. */
  readonly said: Readonly<Record<string, string | undefined>>
}

const HELP = `Whose settings? Say one of these:
  --sandbox        those of an 'npm start' that runs (--site http://localhost:8080 for another than port 5173)
  --env .env       those in a file, one NAME=value a line, as 'npx netlify env:list --plain' writes them
  nothing          those of the environment
and for a deployment where it is: --site https://…`

/**
 * The settings that the command line points to.
 *
 * @param own the options that the command has besides; each takes a value.
 * @throws Usage when it points to none.
 */
export async function chosenSettings(args: readonly string[], own: readonly string[] = []): Promise<Chosen> {
  const { values, positionals } = read(args, own)
  const said = Object.fromEntries(
    Object.entries<unknown>(values).flatMap(([name, value]) =>
      own.includes(name) && typeof value === 'string' ? [[name, value]] : [],
    ),
  )
  if (values.sandbox) {
    const site = originOf(values.site ?? 'http://localhost:5173')
    return {
      variables: { ...readFile('.env.sandbox'), ...(await sandboxSettings(site)) },
      site,
      rest: positionals,
      said,
    }
  }
  const variables = values.env === undefined ? process.env : readFile(values.env)
  if (!variables.FIREBASE_PROJECT_ID && !variables.STRIPE_SECRET_KEY) throw new Usage(HELP)
  // Netlify's own name for where a deployment is.
  const site = values.site ?? variables.URL
  return { variables, site: site ? originOf(site) : null, rest: positionals, said }
}

function read(args: readonly string[], own: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        sandbox: { type: 'boolean' },
        env: { type: 'string' },
        site: { type: 'string' },
        ...Object.fromEntries(own.map((name) => [name, { type: 'string' as const }])),
      },
    })
  } catch {
    throw new Usage(HELP)
  }
}

function readFile(path: string): Record<string, string | undefined> {
  if (!existsSync(path)) throw new Usage(`There is no file ${path}.`)
  return parseEnv(readFileSync(path, 'utf8'))
}

async function sandboxSettings(site: string): Promise<Record<string, string>> {
  const response = await fetch(`${site}/sandbox/settings.json`).catch(() => null)
  if (!response?.ok) throw new Usage(`No sandbox answers at ${site}. Start one with 'npm start'.`)
  return (await response.json()) as Record<string, string>
}

function originOf(address: string): string {
  if (!URL.canParse(address)) throw new Usage(`${address} is no address: write https://…`)
  return new URL(address).origin
}
