import { tellOfAllTyped } from '../browser/typedBefore.ts'
import type {} from './opening.ts'

/**
 * Tells the app what happened on the painted page before it took over: what was typed, and the button that was tapped
 * last. Runs in the layout phase of the first render, before anything can write over what was typed.
 */
export function takeOver(root: HTMLElement) {
  const { opening } = window
  if (!opening || opening.isTakenOver) return
  opening.isTakenOver = true
  document.getElementById('late')?.remove()
  tellOfAllTyped(root)
  const { tapped } = opening
  // What was tapped on the picture waits until the app takes its place.
  if (tapped && root.contains(tapped)) queueMicrotask(() => tapped.click())
}
