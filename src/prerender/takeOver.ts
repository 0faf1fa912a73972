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
  for (const input of root.querySelectorAll<TrackedInput>('input')) {
    if (!input.value) continue
    // React holds what it found in the field for its own value; it hears of a change only when the two differ.
    input._valueTracker?.setValue('')
    input.dispatchEvent(new InputEvent('input', { bubbles: true }))
  }
  const { tapped } = opening
  if (tapped?.isConnected) queueMicrotask(() => tapped.click())
}

type TrackedInput = HTMLInputElement & { _valueTracker?: { setValue(value: string): void } }
