import { parseArgs } from 'node:util'
import { createPayoutContext } from '../../netlify/server/payouts/createContext.ts'
import { readFunctionSettings } from '../../netlify/server/payouts/settings.ts'
import { waitForBackgroundWork } from '../../netlify/server/platform/context.ts'
import { SettingsError } from '../../netlify/server/platform/settings.ts'
import { CommandError } from './commandError.ts'
import {
  COMMANDS,
  type CommandOptions,
  describeUsage,
  findUsage,
  OPTION_NAMES,
  parseArguments,
  runCommand,
} from './commands.ts'
import { DEPLOYMENT_HELP, type Deployment, readDeployment, readVariables } from './deployment.ts'
import { diagnose } from './doctor/doctor.ts'
import { buildFailureFinding, formatFinding } from './doctor/findings.ts'
import { createReceiptKeySettings } from './receiptKeys.ts'
import { verifyTarget } from './target.ts'

type Print = (line: string) => void

/** @returns the exit code: 1 if something is wrong, 2 if the command was refused */
export async function runCommandLine(args: readonly string[], print: Print): Promise<number> {
  try {
    const { values, positionals } = parseLine(args)
    const { help, sandbox, env, site, ...options } = values
    const usage = findUsage(positionals)
    if (help || !usage) {
      for (const line of describeHelp(positionals)) print(line)
      return help || positionals.length === 0 ? 0 : 2
    }
    parseArguments(usage, positionals, options)
    if (usage === 'keys') {
      // The first pair is made before there is a deployment.
      for (const line of createReceiptKeySettings(readVariables({ env }), Date.now())) print(line)
      return 0
    }
    const deployment = await readDeployment({ sandbox, env, site })
    return usage === 'doctor'
      ? await runDoctor(deployment, print)
      : await run(deployment, positionals, options, print)
  } catch (error) {
    if (!(error instanceof CommandError || error instanceof SettingsError)) throw error
    print(error.message)
    return 2
  }
}

const TEXT_OPTIONS = Object.fromEntries(OPTION_NAMES.map((name) => [name, { type: 'string' }])) as Record<
  (typeof OPTION_NAMES)[number],
  { type: 'string' }
>

function parseLine(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        help: { type: 'boolean' },
        sandbox: { type: 'boolean' },
        env: { type: 'string' },
        site: { type: 'string' },
        ...TEXT_OPTIONS,
      },
    })
  } catch (error) {
    throw new CommandError(`${(error as Error).message}\nUsage: npm run ops -- --help`)
  }
}

function describeHelp(words: readonly string[]): string[] {
  const exact = findUsage(words)
  const all = Object.entries(COMMANDS)
  const named = all.filter(([usage]) => (exact ? usage === exact : usage.startsWith(`${words[0]} `)))
  return [
    'Usage: npm run ops -- <command> [arguments]',
    '',
    ...(named.length > 0 ? named : all).flatMap(([usage, { about, writes }]) => [
      `  ${describeUsage(usage)}`,
      `      ${about}${writes ? ' (writes)' : ''}.`,
    ]),
    '',
    DEPLOYMENT_HELP,
  ]
}

async function run(
  { variables }: Deployment,
  words: readonly string[],
  options: CommandOptions,
  print: Print,
): Promise<number> {
  const settings = readFunctionSettings(variables)
  const context = createPayoutContext(settings, { log: () => {} })
  try {
    if (COMMANDS[findUsage(words) ?? '']?.writes) print(await verifyTarget(context, settings))
    const { lines, isBad = false } = await runCommand(context, words, options, settings)
    for (const line of lines) print(line)
    return isBad ? 1 : 0
  } catch (error) {
    if (error instanceof CommandError) throw error
    for (const line of formatFinding(buildFailureFinding(words.join(' '), error))) print(line)
    return 1
  } finally {
    await waitForBackgroundWork(context)
    await context.db.terminate()
  }
}

async function runDoctor({ variables, site }: Deployment, print: Print): Promise<number> {
  const findings = await diagnose(variables, { site })
  for (const line of findings.flatMap(formatFinding)) print(line)
  const count = (verdict: string) => findings.filter((finding) => finding.verdict === verdict).length
  print(
    `\n${count('good')} good, ${count('warning')} warnings, ${count('bad')} wrong, ${count('unknown')} unknown`,
  )
  return count('bad') > 0 ? 1 : 0
}
