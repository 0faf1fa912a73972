import { reportFilledFields } from '../browser/filledFields.ts'
import type {} from './opening.ts'

/**
 * Applies the user's actions on the prerendered page to the app: the typed values, and the last tapped
 * button. Call it in the layout phase of the first render, before anything can overwrite the typed values.
 */
export function replayEarlyActions(root: HTMLElement) {
  const { opening } = window
  if (!opening || opening.isTakenOver) return
  opening.handOver(root)
  reportFilledFields(root)
  const { tapped } = opening
  // Taps on the prerendered page wait until the app takes over.
  if (tapped && root.contains(tapped)) queueMicrotask(() => tapped.click())
}
