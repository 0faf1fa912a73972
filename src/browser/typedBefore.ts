/**
 * Tells React of what was typed into a field before React took it over. React holds what it found there for its own value,
 * and hears of a change only when the two differ, so it is made to forget what it found.
 *
 * This leans on `_valueTracker`, which React 19.3 keeps at each field. There is no public way that leaves alone the field itself, and with it the
 * cursor and a word that the keyboard is still composing. When an update renames it, a form that was filled in before the
 * app came looks full and is refused as empty. `typedBefore.test.ts` looks for the name in React, and a test in
 * e2e/slow-code.spec.ts types into the painted page.
 */
export function tellOfTyped(input: HTMLInputElement) {
  const { _valueTracker: tracker } = input as TrackedInput
  tracker?.setValue('')
  input.dispatchEvent(new InputEvent('input', { bubbles: true }))
}

/** The same for all fields of a part of the page that React has just taken over. */
export function tellOfAllTyped(part: ParentNode) {
  for (const input of part.querySelectorAll('input'))
    if (input.value !== input.defaultValue) tellOfTyped(input)
}

type TrackedInput = HTMLInputElement & { _valueTracker?: { setValue(value: string): void } }
