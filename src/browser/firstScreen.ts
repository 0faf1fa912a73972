import { withTimeout } from './withTimeout.ts'

/** In milliseconds. */
const MAX_WAIT = 3000

let resolveShown = () => {}
const shown = new Promise<void>((resolve) => {
  resolveShown = resolve
})

export const reportFirstScreen = () => resolveShown()

let waiting: Promise<void> | undefined

/** On a slow phone, other work would delay the first taps. */
export function waitForFirstScreen(): Promise<void> {
  // On a device that hangs, each later part would wait again.
  waiting ??= withTimeout(shown, MAX_WAIT).catch(() => undefined)
  return waiting
}

/** In milliseconds. */
const MAX_BUSY = 2000

export async function runWhenIdle(work: () => void): Promise<void> {
  await waitForFirstScreen()
  if ('requestIdleCallback' in globalThis) requestIdleCallback(work, { timeout: MAX_BUSY })
  else setTimeout(work)
}
