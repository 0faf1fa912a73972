import type { Page } from '@playwright/test'

/** More frames than are needed to draw what has loaded. */
const ENOUGH = 30

/** Waits until everything that has loaded is drawn, for tests that the layout does not shift. */
export const waitUntilDrawn = (page: Page) =>
  page.evaluate(async (frames) => {
    for (let frame = 0; frame < frames; frame += 1) await new Promise(requestAnimationFrame)
  }, ENOUGH)
