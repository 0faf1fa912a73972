import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Frame } from '@playwright/test'
import axe from 'axe-core'

/** Each key is the script's global variable. axe collects the results of frames, even of other origins. */
export const CHECKERS = {
  axe: `${axe.source}; axe.configure({ allowedOrigins: ['<unsafe_all_origins>'] })`,
  ace: readFileSync(fileURLToPath(import.meta.resolve('accessibility-checker-engine')), 'utf8'),
}

/** Works in spite of the page's Content-Security-Policy. */
export async function loadChecker(frame: Pick<Frame, 'evaluate'>, name: keyof typeof CHECKERS) {
  if (!(await frame.evaluate((global) => global in window, name)))
    await frame.evaluate(`{ ${CHECKERS[name]} }`)
}

declare global {
  interface Window {
    axe: typeof axe
  }
}
