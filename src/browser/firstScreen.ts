import { withTimeout } from './withTimeout.ts'

/** In milliseconds. A slow phone needs several seconds, and a device that hangs never has a first screen. */
export const MAX_FIRST_SCREEN_WAIT = 10_000

let resolveShown = () => {}
const shown = new Promise<void>((resolve) => {
  resolveShown = resolve
})

export const reportFirstScreen = () => resolveShown()

let waiting: Promise<void> | undefined

/** On a slow phone, other work would delay the first taps. */
export function waitForFirstScreen(): Promise<void> {
  // On a device that hangs, each later part would wait again.
  waiting ??= withTimeout(shown, MAX_FIRST_SCREEN_WAIT).catch(() => undefined)
  return waiting
}

/** In milliseconds. */
const MAX_BUSY = 2000

export async function runWhenIdle(work: () => void): Promise<void> {
  await waitForFirstScreen()
  if ('requestIdleCallback' in globalThis) requestIdleCallback(work, { timeout: MAX_BUSY })
  else setTimeout(work)
}
