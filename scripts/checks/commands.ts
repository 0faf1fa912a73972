import { spawn } from 'node:child_process'

/** The checks that read the sources and run nothing; they take seconds. */
export const STATIC_CHECKS = {
  lint: 'biome check --error-on-warnings .',
  types: 'tsc --noEmit && tsc --noEmit -p emulators',
  unused: 'knip --no-progress',
  imports: 'node scripts/checks/imports.ts',
  messages: 'node scripts/checks/messages.ts',
  specification: 'node scripts/checks/specification.ts',
} as const

/** Runs a command as an npm script, with the output of this process. Resolves to whether it succeeded. */
export function run(command: string, env: Record<string, string> = {}): Promise<boolean> {
  const child = spawn(command, { shell: true, stdio: 'inherit', env: { ...process.env, ...env } })
  return new Promise((resolve) => child.once('exit', (code) => resolve(code === 0)))
}

export function printHeading(title: string) {
  console.log(`\n── ${title}`)
}
