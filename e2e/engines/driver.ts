import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { setTimeout } from 'node:timers/promises'

/** One engine with one window, told what to do by its own protocol. Keys and taps are the engine's own, as from a keyboard and a finger. */
export interface Driver {
  /** Where the engine puts what is saved. */
  readonly downloads: string
  go(url: string): Promise<void>
  reload(): Promise<void>
  /** How many frames the page has. */
  frames(): Promise<number>
  /** What a function comes to in the page, or in one of its frames, as JSON. */
  run(work: string, argument: unknown, frame?: number | null): Promise<unknown>
  tap(spot: Spot): Promise<void>
  /** Presses and lets go of keys, in WebDriver's words for them: https://www.w3.org/TR/webdriver2/#keyboard-actions */
  type(strokes: readonly Stroke[], frame: number | null): Promise<void>
  /** How wide its window is at least, in pixels. */
  readonly narrowest: number
  resize(width: number, height: number): Promise<void>
  /** The windows that are open, the first one first. */
  windows(): Promise<readonly string[]>
  /** From now on this window is meant. */
  use(window: string): Promise<void>
  /** The page as it looks, a PNG. */
  picture(): Promise<Buffer>
  end(): Promise<void>
}

/** A place in the page, or in one of its frames whose inside begins at `inset`. In CSS pixels. */
export interface Spot {
  readonly x: number
  readonly y: number
  readonly frame: number | null
  readonly inset: { readonly x: number; readonly y: number }
}

export interface Stroke {
  readonly type: 'keyDown' | 'keyUp'
  readonly value: string
}

/** A tap as both protocols want it. */
export const tapAt = (x: number, y: number) => [
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

export const typing = (actions: readonly Stroke[]) => [{ type: 'key', id: 'keyboard', actions }]

export interface Started {
  /** What the pattern has found in what it wrote. */
  readonly told: string
  end(): Promise<void>
}

/** Starts a program, and waits until it has written a line that fits, or until the check says that it answers. */
export async function startProgram(
  [command, ...args]: readonly [string, ...string[]],
  isReady: RegExp | (() => Promise<boolean>),
  env: NodeJS.ProcessEnv = {},
): Promise<Started> {
  const child = spawn(command, args, { env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'] })
  const ended = once(child, 'exit')
  const said: string[] = []
  const told = await new Promise<string>((resolve, reject) => {
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
    told,
    async end() {
      child.kill('SIGKILL')
      await ended
    },
  }
}

/** It has no line of its own to tell that it is ready. */
async function until(isReady: () => Promise<boolean>) {
  while (!(await isReady().catch(() => false))) await setTimeout(50)
}
