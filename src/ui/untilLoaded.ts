/** Milliseconds between two tries to fetch code on a bad network. */
const TRY_AGAIN_AFTER = 2000

/** Tries in a row that a bad network may take; after them something else keeps the code away. */
const ENOUGH = 3

let failures = 0
let isMissing = false
const listeners = new Set<() => void>()
let styles: Promise<unknown> = Promise.resolve()

/** Fetches code, and its styles, again until they are there: a screen whose code is lost for good would be a blank one. */
export async function untilLoaded<Code>(load: () => Promise<Code>): Promise<Code> {
  for (;;) {
    try {
      const code = await load()
      await styles
      failures = 0
      tell(false)
      return code
    } catch {
      await pause()
    }
  }
}

/**
 * Whether code does not come although the server answers: a newer version has taken it away, or the browser remembers
 * that it failed once. Only opening the app anew helps then.
 */
export const isCodeMissing = () => isMissing

export function watchMissingCode(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

// Vite tells of each import that fails, of those too that somebody asks for again by hand. There is no window when the page is painted.
globalThis.addEventListener?.('vite:preloadError', async () => {
  failures += 1
  if (failures >= ENOUGH && (await doesServerAnswer()) && failures >= ENOUGH) tell(true)
})

// Vite asks for a style sheet once only: with the next try its screen would come without it.
globalThis.addEventListener?.(
  'error',
  ({ target }) => {
    if (target instanceof HTMLLinkElement && target.rel === 'stylesheet' && !target.dataset.again)
      styles = Promise.all([styles, untilStyled(target)])
  },
  true,
)

async function untilStyled(failed: HTMLLinkElement) {
  let link = failed
  for (let isLoaded = false; !isLoaded; ) {
    await pause()
    const next = failed.cloneNode() as HTMLLinkElement
    next.dataset.again = 'true'
    const loaded = new Promise<boolean>((resolve) => {
      next.onload = () => resolve(true)
      next.onerror = () => resolve(false)
    })
    link.replaceWith(next)
    link = next
    isLoaded = await loaded
  }
}

const pause = () => new Promise((resolve) => setTimeout(resolve, TRY_AGAIN_AFTER))

const doesServerAnswer = () =>
  fetch('/', { method: 'HEAD', cache: 'no-store' }).then(
    ({ ok }) => ok,
    () => false,
  )

function tell(now: boolean) {
  if (now === isMissing) return
  isMissing = now
  for (const listener of listeners) listener()
}
