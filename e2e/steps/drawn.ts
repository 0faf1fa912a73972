import type { Page } from '@playwright/test'

/** So many frames are more than it takes to draw what has come. */
const ENOUGH = 30

/** Waits until what the page has heard is drawn, for tests of what must not be seen to move. */
export const untilDrawn = (page: Page) =>
  page.evaluate(async (frames) => {
    for (let frame = 0; frame < frames; frame += 1) await new Promise(requestAnimationFrame)
  }, ENOUGH)
