import type { Page } from '@playwright/test'

const ENOUGH = 30

/** Tests that the layout does not shift wait for this. */
export const waitUntilDrawn = (page: Page) =>
  page.evaluate(async (frames) => {
    for (let frame = 0; frame < frames; frame += 1) await new Promise(requestAnimationFrame)
  }, ENOUGH)
