import type { Browser } from '@playwright/test'
import { MINUTE } from '../../domain/common/duration.ts'
import type { Server } from '../../e2e/server.ts'
import { withTimeout } from '../../src/browser/withTimeout.ts'
import { launchChromium } from '../setup/chromium.mjs'

/** CPU throttling factor. */
export const SLOWDOWN = 4

export interface Servers {
  readonly apps: readonly Server[]
  /** The origin of the bare stack. */
  readonly bare: string
}

export async function withBrowser<T>(work: (browser: Browser) => Promise<T>) {
  const browser = await launchChromium()
  return work(browser).finally(() => browser.close())
}

export const STEP_LIMIT = 2 * MINUTE

/** The error names `what`, a noun such as `the server`. */
export const waitFor = <T>(what: string, work: PromiseLike<T>): Promise<T> =>
  withTimeout(work, STEP_LIMIT, () => new Error(`Waited ${STEP_LIMIT / MINUTE} minutes for ${what}.`))

/** `share`: 0.5 for the median. */
export const computePercentile = (all: readonly number[], share: number): number =>
  all.toSorted((one, other) => one - other)[Math.max(0, Math.ceil(all.length * share) - 1)] ?? Number.NaN

/** The median of each figure. */
export function computeMedians<Figures extends object>(all: readonly Figures[]): Figures {
  const names = Object.keys(all[0] ?? {}) as (keyof Figures)[]
  const rows = names.map((name) => [
    name,
    computePercentile(
      all.map((one) => Number(one[name])),
      0.5,
    ),
  ])
  return Object.fromEntries(rows)
}
