import { createStore } from './createStore.ts'
import { afterPress } from './press.ts'
import { singleFlight } from './singleFlight.ts'
import { LATE_AFTER, TRY_AGAIN_AFTER } from './waits.ts'
import { withTimeout } from './withTimeout.ts'

/** How many tries a bad network may need. When the code is still missing after them, something else keeps it away. */
const ENOUGH = 3

/** How long the server may take to say that it is there, in milliseconds. The next try waits for that. */
const ANSWERS_WITHIN = 5000

/** The code that does not come: each import that failed again and again, and each long wait of `sayWhenLate`. */
const missing = new Set<unknown>()
/** Style sheets that failed and have not come since, by their addresses. */
const failedSheets = new Map<string, HTMLLinkElement>()

/** Fetches code and its styles, and tries again until they are there. A screen without its code would be blank. */
export async function importWithRetry<Code>(load: () => Promise<Code>): Promise<Code> {
  const lacking = new Set<string>()
  for (let tries = 1; ; tries += 1) {
    const failedBefore = new Set(failedSheets.keys())
    try {
      const code = await load()
      await fetchSheets([...lacking])
      arrived(load)
      return code
    } catch (error) {
      for (const href of lackedBy(error, failedBefore)) lacking.add(href)
      if (tries >= ENOUGH && !missing.has(load) && (await doesServerAnswer())) {
        miss(load)
      }
      await new Promise((resolve) => setTimeout(resolve, TRY_AGAIN_AFTER))
    }
  }
}

/** Somebody waits for code from now on, until they call the returned function. When the wait is long, they are told. */
export function sayWhenLate(): () => void {
  const wait = {}
  const late = setTimeout(miss, LATE_AFTER, wait)
  return () => {
    clearTimeout(late)
    arrived(wait)
  }
}

function miss(what: unknown) {
  missing.add(what)
  afterPress(() => missingCodeShown.set(missing.size > 0))
}

function arrived(what: unknown) {
  missing.delete(what)
  if (missing.size === 0) missingCodeShown.set(false)
}

/**
 * Whether to say that code does not load. Either the server answers, and a newer version has removed the code or the browser
 * remembers that it failed once; or the network neither delivers the code nor fails. Reopening the app helps in each case.
 */
export const missingCodeShown = createStore(false)

const doesServerAnswer = () =>
  withTimeout(fetch('/', { method: 'HEAD', cache: 'no-store' }), ANSWERS_WITHIN).then(
    ({ ok }) => ok,
    () => false,
  )

// Vite asks for a style sheet only once: without this list the next try would show a screen without its styles. The build
// paints the page without a window.
globalThis.addEventListener?.(
  'error',
  ({ target }) => {
    if (target instanceof HTMLLinkElement && target.rel === 'stylesheet')
      failedSheets.set(target.href, target)
  },
  true,
)

/** The style sheets for whose absence the import failed. Vite's error names one of those that failed meanwhile. */
function lackedBy(error: unknown, failedBefore: ReadonlySet<string>): string[] {
  const failed = [...failedSheets.keys()]
  const named = failed.filter((href) => String(error).includes(href))
  return named.length === 0 ? [] : [...named, ...failed.filter((href) => !failedBefore.has(href))]
}

async function fetchSheets(hrefs: readonly string[]) {
  const areThere = await Promise.all(hrefs.map(fetchSheet))
  if (areThere.includes(false)) throw new TypeError('A style sheet did not come')
}

const fetchSheet = (href: string) =>
  singleFlight(
    `style sheet ${href}`,
    () =>
      new Promise<boolean>((resolve) => {
        const failed = failedSheets.get(href)
        if (!failed) return resolve(true)
        const link = failed.cloneNode() as HTMLLinkElement
        link.onload = () => {
          failedSheets.delete(href)
          resolve(true)
        }
        link.onerror = () => resolve(false)
        failed.replaceWith(link)
      }),
  )
