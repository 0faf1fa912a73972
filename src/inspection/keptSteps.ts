import { isToldStep } from './isToldStep.ts'
import { CHANNEL, type Memory } from './tell.ts'

// The name of the channel is in them, for the check of the budgets looks for it in what is built for people.
const STEPS = `${CHANNEL}.steps`
const TAB = `${CHANNEL}.tab`

/**
 * Keeps a tab's steps for the page that it loads next: that of a new version, or of a return from Google or a checkout. At each step, for
 * a page that hangs says no farewell. A browser without storage keeps none, and what is no step there is left out.
 */
export const keptSteps: Memory = {
  read() {
    try {
      const kept: unknown = JSON.parse(sessionStorage.getItem(STEPS) ?? '[]')
      return Array.isArray(kept) ? kept.filter(isToldStep) : []
    } catch {
      return []
    }
  },
  write(steps) {
    try {
      sessionStorage.setItem(STEPS, JSON.stringify(steps))
    } catch {
      // The steps since the page was loaded are still told.
    }
  },
}

/**
 * The tab's name for itself: that of its page before, or a new one. It is in the storage only between two pages, for a browser gives a copy
 * of the storage to a tab that is duplicated, and two tabs would have one name.
 */
export function takeTab(): string {
  try {
    const kept = sessionStorage.getItem(TAB)
    sessionStorage.removeItem(TAB)
    return kept || crypto.randomUUID()
  } catch {
    return crypto.randomUUID()
  }
}

/** Leaves the name to the tab's next page. */
export function leaveTab(tab: string) {
  try {
    sessionStorage.setItem(TAB, tab)
  } catch {
    // The next page gives itself another one.
  }
}
