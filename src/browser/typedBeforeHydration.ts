/**
 * Reports to React a value that was typed before hydration. React assumes that the value it finds is its own,
 * and notices a change only from that value, so it has to forget the value it found.
 *
 * Relies on `_valueTracker`, which React 19.3 stores on each field. A public API would change the field, and
 * so move the cursor and end a word that the keyboard is composing. If an update renames this property, a
 * form that was filled in before hydration is refused as empty. `typedBeforeHydration.test.ts` looks for the
 * name in React, and a test in e2e/slow-code.spec.ts types into the prerendered page.
 */
export function reportTypedField(input: HTMLInputElement) {
  const { _valueTracker: tracker } = input as TrackedInput
  tracker?.setValue('')
  input.dispatchEvent(new InputEvent('input', { bubbles: true }))
}

/** Reports the typed values of all fields in a part of the page that React has just hydrated. */
export function reportTypedFields(part: ParentNode) {
  for (const input of part.querySelectorAll('input'))
    if (input.value !== input.defaultValue) reportTypedField(input)
}

type TrackedInput = HTMLInputElement & { _valueTracker?: { setValue(value: string): void } }
