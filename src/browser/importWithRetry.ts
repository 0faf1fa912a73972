import { createStore } from './createStore.ts'
import { LATE_CODE_DELAY, LOAD_RETRY_DELAY, MAX_EXPECTED_LOAD_FAILURES } from './loadDelays.ts'
import { runAfterPress } from './press.ts'
import { reportError } from './reportError.ts'
import { runSingleFlight } from './singleFlight.ts'
import { withTimeout } from './withTimeout.ts'

/** In milliseconds. */
const ANSWERS_WITHIN = 5000

/** Missing code: each import that failed repeatedly, and each long wait of `reportLateCode`. */
const missing = new Set<unknown>()
const failedSheets = new Map<string, HTMLLinkElement>()

/** A screen without its code or styles would be blank. */
export async function importWithRetry<Code>(load: () => Promise<Code>): Promise<Code> {
  const lacking = new Set<string>()
  for (let tries = 1; ; tries += 1) {
    const failedBefore = new Set(failedSheets.keys())
    try {
      const code = await load()
      await fetchSheets([...lacking])
      removeMissing(load)
      return code
    } catch (error) {
      for (const href of listMissingSheets(error, failedBefore)) lacking.add(href)
      if (tries >= MAX_EXPECTED_LOAD_FAILURES && !missing.has(load) && (await doesServerAnswer())) {
        addMissing(load)
        reportError('code', error)
      }
      await new Promise((resolve) => setTimeout(resolve, LOAD_RETRY_DELAY))
    }
  }
}

export function reportLateCode(): () => void {
  const wait = {}
  const late = setTimeout(addMissing, LATE_CODE_DELAY, wait)
  return () => {
    clearTimeout(late)
    removeMissing(wait)
  }
}

function addMissing(what: unknown) {
  missing.add(what)
  runAfterPress(() => missingCodeStore.set(missing.size > 0))
}

function removeMissing(what: unknown) {
  missing.delete(what)
  if (missing.size === 0) missingCodeStore.set(false)
}

/**
 * A newer version has removed the code, the browser remembers a failure, or the network hangs. Reopening the
 * app helps.
 */
export const missingCodeStore = createStore(false)

export const doesServerAnswer = () =>
  withTimeout(fetch('/', { method: 'HEAD', cache: 'no-store' }), ANSWERS_WITHIN).then(
    ({ ok }) => ok,
    () => false,
  )

// Vite requests a style sheet only once, so a retry would show a screen without its styles.
globalThis.addEventListener?.(
  'error',
  ({ target }) => {
    if (target instanceof HTMLLinkElement && target.rel === 'stylesheet')
      failedSheets.set(target.href, target)
  },
  true,
)

/** Vite's error names only one of the style sheets. */
function listMissingSheets(error: unknown, failedBefore: ReadonlySet<string>): string[] {
  const failed = [...failedSheets.keys()]
  const named = failed.filter((href) => String(error).includes(href))
  return named.length === 0 ? [] : [...named, ...failed.filter((href) => !failedBefore.has(href))]
}

async function fetchSheets(hrefs: readonly string[]) {
  const areThere = await Promise.all(hrefs.map(fetchSheet))
  if (areThere.includes(false)) throw new TypeError('A style sheet failed to load')
}

const fetchSheet = (href: string) =>
  runSingleFlight(
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
