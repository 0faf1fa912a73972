import { tabStore } from '../browser/storage.ts'
import { isToldStep } from './isToldStep.ts'
import type { Memory } from './tell.ts'

/**
 * Keeps a tab's steps for the page that it loads next: that of a new version, or of a return from Google or a checkout. Each step
 * is kept at once, because a page that hangs announces no end.
 */
export const keptSteps: Memory = {
  read() {
    const kept = tabStore.get('statecharts.steps')
    return Array.isArray(kept) ? kept.filter(isToldStep) : []
  },
  write(steps) {
    tabStore.set('statecharts.steps', steps)
  },
}

/**
 * The tab's name for itself: that of its previous page, or a new one. It is stored only between two pages, because a browser
 * copies the storage into a tab that is duplicated, and two tabs would have one name.
 */
export function takeTab(): string {
  const kept = tabStore.get('statecharts.tab')
  tabStore.set('statecharts.tab', null)
  return kept || crypto.randomUUID()
}

/** Leaves the name to the tab's next page. */
export function leaveTab(tab: string) {
  tabStore.set('statecharts.tab', tab)
}
