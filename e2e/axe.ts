import type { Page } from '@playwright/test'
import axe from 'axe-core'

const COLOUR_RULES = ['color-contrast', 'link-in-text-block']
const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

/** One line for each element that breaks a rule, frames included. */
export async function violations(page: Page, colorScheme: 'light' | 'dark'): Promise<string[]> {
  // Its parts in the frames, some of them a provider's, answer the one in the page.
  const load = `if (!window.axe) { ${axe.source}; axe.configure({ allowedOrigins: ['<unsafe_all_origins>'] }) }`
  for (const frame of page.frames()) await frame.evaluate(load)
  // Between the schemes there are other colours, and nothing else.
  const rules: axe.RunOnly =
    colorScheme === 'light' ? { type: 'tag', values: TAGS } : { type: 'rule', values: COLOUR_RULES }
  const found = await page.evaluate(
    async (runOnly) => (await window.axe.run({ runOnly, resultTypes: ['violations'] })).violations,
    rules,
  )
  return found.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id} ${target.join(' ')}: ${failureSummary}`),
  )
}

declare global {
  interface Window {
    axe: typeof axe
  }
}
