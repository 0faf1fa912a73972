import { reportFilledFields } from '../browser/filledFields.ts'
import type {} from './opening.ts'

/** Call it in the layout phase of the first render, before anything can overwrite the typed values. */
export function replayEarlyActions(root: HTMLElement) {
  const { opening } = window
  if (!opening || opening.isTakenOver) return
  opening.handOver(root)
  reportFilledFields(root)
  const { tapped } = opening
  if (tapped && root.contains(tapped)) queueMicrotask(() => tapped.click())
}
