import { afterPress } from '../ui/press.ts'

/** Milliseconds between two tries to fetch code on a bad network. */
const TRY_AGAIN_AFTER = 2000

/** Tries that a bad network may take; after them something else keeps the code away. */
const ENOUGH = 3

const missing = new Set<() => unknown>()
const listeners = new Set<() => void>()
const failedSheets: HTMLLinkElement[] = []
let fetchingStyles: Promise<void> | null = null
let isShown = false

/** Fetches code, and its styles, again until they are there: a screen whose code is lost for good would be a blank one. */
export async function untilLoaded<Code>(load: () => Promise<Code>): Promise<Code> {
  for (let tries = 1; ; tries += 1)
    try {
      const code = await load()
      await fetchStyles()
      missing.delete(load)
      if (missing.size === 0) show(false)
      return code
    } catch {
      if (tries >= ENOUGH && !missing.has(load) && (await doesServerAnswer())) {
        missing.add(load)
        afterPress(() => show(missing.size > 0))
      }
      await new Promise((resolve) => setTimeout(resolve, TRY_AGAIN_AFTER))
    }
}

/**
 * Whether to say that code does not come although the server answers: a newer version has taken it away, or the browser
 * remembers that it failed once. Only opening the app anew helps then.
 */
export const isMissingCodeShown = () => isShown

export function watchMissingCode(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Says no more of it, unless other code does not come either. */
export const hideMissingCode = () => show(false)

function show(now: boolean) {
  isShown = now
  for (const listener of listeners) listener()
}

const doesServerAnswer = () =>
  fetch('/', { method: 'HEAD', cache: 'no-store' }).then(
    ({ ok }) => ok,
    () => false,
  )

// Vite asks for a style sheet once only: with the next try its screen would come without it. There is no window when the page is
// painted.
globalThis.addEventListener?.(
  'error',
  ({ target }) => {
    if (target instanceof HTMLLinkElement && target.rel === 'stylesheet') failedSheets.push(target)
  },
  true,
)

/** Fetches the style sheets again that have failed, for whichever screen. Fails when one of them does not come. */
function fetchStyles(): Promise<void> {
  fetchingStyles ??= Promise.all(failedSheets.splice(0).map(fetchSheet))
    .then((outcomes) => {
      if (outcomes.includes('error')) throw new TypeError('A style sheet did not come')
    })
    .finally(() => {
      fetchingStyles = null
    })
  return fetchingStyles
}

function fetchSheet(failed: HTMLLinkElement): Promise<string> {
  const link = failed.cloneNode() as HTMLLinkElement
  return new Promise((resolve) => {
    link.onload = link.onerror = (event) => resolve(typeof event === 'string' ? event : event.type)
    failed.replaceWith(link)
  })
}
