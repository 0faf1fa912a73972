import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { setTimeout } from 'node:timers/promises'

/** Keys and taps are real input events, as from a keyboard and a finger. */
export interface Driver {
  readonly downloads: string
  go(url: string): Promise<void>
  reload(): Promise<void>
  /** Argument and result are passed as JSON. */
  run(work: string, argument: unknown, frame?: number | null): Promise<unknown>
  tap(spot: PagePosition): Promise<void>
  /** The names of keys are those of WebDriver: https://www.w3.org/TR/webdriver2/#keyboard-actions */
  type(strokes: readonly KeyStroke[], frame: number | null): Promise<void>
  /** Smallest window width, in pixels. */
  readonly narrowest: number
  resize(width: number, height: number): Promise<void>
  /** Oldest first. */
  windows(): Promise<readonly string[]>
  use(window: string): Promise<void>
  /** Takes a PNG of the page. */
  picture(): Promise<Buffer>
  end(): Promise<void>
}

/** In CSS pixels; `inset`: where a frame's content begins. */
export interface PagePosition {
  readonly x: number
  readonly y: number
  readonly frame: number | null
  readonly inset: { readonly x: number; readonly y: number }
}

export interface KeyStroke {
  readonly type: 'keyDown' | 'keyUp'
  readonly value: string
}

export const buildTapActions = (x: number, y: number) => [
  {
    type: 'pointer',
    id: 'finger',
    parameters: { pointerType: 'mouse' },
    actions: [
      { type: 'pointerMove', x: Math.round(x), y: Math.round(y) },
      { type: 'pointerDown', button: 0 },
      { type: 'pointerUp', button: 0 },
    ],
  },
]

export const buildKeyActions = (actions: readonly KeyStroke[]) => [{ type: 'key', id: 'keyboard', actions }]

export interface StartedProgram {
  /** Output that matched the pattern; empty if a check was used. */
  readonly output: string
  end(): Promise<void>
}

/** Waits until the program prints a matching line, or until the check succeeds. */
export async function startProgram(
  [command, ...args]: readonly [string, ...string[]],
  isReady: RegExp | (() => Promise<boolean>),
  env: NodeJS.ProcessEnv = {},
): Promise<StartedProgram> {
  const child = spawn(command, args, { env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'] })
  const ended = once(child, 'exit')
  const said: string[] = []
  const matchedOutput = await new Promise<string>((resolve, reject) => {
    const listen = (stream: Readable) =>
      createInterface(stream).on('line', (line) => {
        said.push(line)
        const [whole, part] = isReady instanceof RegExp ? (isReady.exec(line) ?? []) : []
        if (whole !== undefined) resolve(part ?? whole)
      })
    listen(child.stdout)
    listen(child.stderr)
    child.once('error', reject)
    child.once('exit', () => reject(new Error(`${command} did not start: ${said.join('\n')}`)))
    if (!(isReady instanceof RegExp)) until(isReady).then(() => resolve(''), reject)
  })
  return {
    output: matchedOutput,
    async end() {
      child.kill('SIGKILL')
      await ended
    },
  }
}

async function until(isReady: () => Promise<boolean>) {
  while (!(await isReady().catch(() => false))) await setTimeout(50)
}
