import { spawn } from 'node:child_process'

/** A check that is one command: what it shows when it passes, and the program of the packages with its arguments. */
export type Check = readonly [title: string, command: readonly [string, ...string[]]]

/** What is read, not run: seconds. */
export const READING: readonly Check[] = [
  ['Format and lint', ['biome', 'check', '--error-on-warnings', '.']],
  ['Types', ['tsc', '--noEmit']],
  ['Types of the emulators', ['tsc', '--noEmit', '-p', 'emulators']],
  ['Nothing that nobody uses', ['knip', '--no-progress']],
  ['Messages of both languages are complete', ['node', 'scripts/checks/messages.ts']],
  ['Each row of the specification has a tagged test', ['node', 'scripts/checks/specification.ts']],
]

/** Runs a program of the packages with this process's own output. Whether it went well. */
export function run([name, ...args]: Check[1], env: Record<string, string> = {}): Promise<boolean> {
  const child = spawn(`node_modules/.bin/${name}`, args, {
    stdio: 'inherit',
    env: { ...process.env, ...env },
  })
  return new Promise((resolve) => child.once('exit', (code) => resolve(code === 0)))
}

export function heading(title: string) {
  console.log(`\n── ${title}`)
}
