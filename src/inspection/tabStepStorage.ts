import { tabStore } from '../browser/storage.ts'
import type { StepStorage } from './broadcastSteps.ts'
import { isInspectionStep } from './isInspectionStep.ts'

/** Each step is stored immediately, because a page that hangs sends no `pagehide`. */
export const tabStepStorage: StepStorage = {
  read() {
    const kept = tabStore.get('statecharts.steps')
    return Array.isArray(kept) ? kept.filter(isInspectionStep) : []
  },
  write(steps) {
    tabStore.set('statecharts.steps', steps)
  },
}

/**
 * The name is stored only between two pages, because the browser copies the storage into a duplicated tab.
 */
export function claimTabName(): string {
  const kept = tabStore.get('statecharts.tab')
  tabStore.set('statecharts.tab', null)
  return kept || crypto.randomUUID()
}

export function storeTabName(tab: string) {
  tabStore.set('statecharts.tab', tab)
}
