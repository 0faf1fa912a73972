import { spawn } from 'node:child_process'
import { mkdirSync, openSync } from 'node:fs'
import { dirname } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { SANDBOX_PROJECT } from '../../sandbox/sandbox.ts'

export type Emulator = 'auth' | 'firestore' | 'storage'

export interface EmulatorSuite {
  isRunning(): boolean
  stop(): void
  /** Resolves once each emulator answers. @throws when the suite ends before. */
  ready(): Promise<void>
}

/**
 * Starts official Firebase emulators. npx fetches them, which are large and no part of the packages. `folder` holds the
 * firebase.json that says what they start with, `hosts` where it lets each of them answer, `log` takes what they write.
 */
export function startSuite({
  folder,
  hosts,
  log,
}: {
  readonly folder: string
  readonly hosts: Readonly<Partial<Record<Emulator, string>>>
  readonly log: string
}): EmulatorSuite {
  mkdirSync(dirname(log), { recursive: true })
  const output = openSync(log, 'w')
  const options = ['emulators:start', '--only', Object.keys(hosts).join(), '--project', SANDBOX_PROJECT]
  // In a group of its own, because npx starts further processes that have to end with it.
  const suite = spawn('npx', ['--yes', 'firebase-tools@15', ...options], {
    cwd: folder,
    detached: true,
    stdio: ['ignore', output, output],
    // They need none of the packages that would have to be compiled.
    env: { ...process.env, npm_config_ignore_scripts: 'true' },
  })
  const isRunning = () => suite.exitCode === null && suite.signalCode === null
  const stop = () => {
    if (suite.pid && isRunning()) process.kill(-suite.pid)
  }
  process.once('exit', stop)

  const answers = (host: string) =>
    fetch(`http://${host}/`).then(
      // Storage has nothing at its root, and says so.
      ({ status }) => status < 502,
      () => false,
    )
  return {
    isRunning,
    stop,
    async ready() {
      for (const host of Object.values(hosts))
        while (!(await answers(host))) {
          if (!isRunning()) throw new Error(`The emulators did not start; see ${log}.`)
          await pause(500)
        }
    },
  }
}
