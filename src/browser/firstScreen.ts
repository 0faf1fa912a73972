import { withTimeout } from './withTimeout.ts'

/** How long other work waits for the first screen, in milliseconds. */
const MAX_WAIT = 3000

let resolveShown = () => {}
const shown = new Promise<void>((resolve) => {
  resolveShown = resolve
})

/** Reports that the first screen responds to taps. */
export const reportFirstScreen = () => resolveShown()

let waiting: Promise<void> | undefined

/** Waits until the first screen responds to taps: on a slow phone, other work would delay it. */
export function waitForFirstScreen(): Promise<void> {
  // One wait for all work: on a device that hangs, each later part would wait again.
  waiting ??= withTimeout(shown, MAX_WAIT).catch(() => undefined)
  return waiting
}

/** How long the browser may be busy before the work runs nevertheless, in milliseconds. */
const MAX_BUSY = 2000

/** Runs the work when the browser is idle, after the first screen. */
export async function runWhenIdle(work: () => void): Promise<void> {
  await waitForFirstScreen()
  if ('requestIdleCallback' in globalThis) requestIdleCallback(work, { timeout: MAX_BUSY })
  else setTimeout(work)
}
