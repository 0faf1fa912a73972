import type { Page } from '@playwright/test'
import type { RunOnly } from 'axe-core'
import { loadChecker } from './checkers.ts'

const COLOR_RULES = ['color-contrast', 'link-in-text-block']
const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

/** Frames are checked too. */
export async function findAxeViolations(page: Page, colorScheme: 'light' | 'dark'): Promise<string[]> {
  for (const frame of page.frames()) await loadChecker(frame, 'axe')
  // Only the colors differ in the dark scheme.
  const rules: RunOnly =
    colorScheme === 'light' ? { type: 'tag', values: TAGS } : { type: 'rule', values: COLOR_RULES }
  const found = await page.evaluate(
    async (runOnly) => (await window.axe.run({ runOnly, resultTypes: ['violations'] })).violations,
    rules,
  )
  return found.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id} ${target.join(' ')}: ${failureSummary}`),
  )
}
