import { flushSync } from 'react-dom'

/**
 * Reports to React a value that it has not noticed: typed before hydration, or filled in by a browser or a
 * password manager without an event that React accepts. React notices a change only from the value that it
 * last saw, so this value is set back to the one that it rendered.
 *
 * Relies on `_valueTracker`, which React 19.3 stores on each field. A public API would change the field, and
 * so move the cursor and end a word that the keyboard is composing. If an update renames this property, a
 * filled form is refused as empty. `filledFields.test.ts` looks for the name in React, and
 * e2e/filled-fields.spec.ts fills in forms.
 */
export function reportFilledField(input: HTMLInputElement) {
  const { _valueTracker: tracker } = input as TrackedInput
  tracker?.setValue(input.defaultValue)
  input.dispatchEvent(new InputEvent('input', { bubbles: true }))
}

/** Reports the fields of a part of the page whose values differ from those that React rendered. */
export function reportFilledFields(part: ParentNode, typed?: EventTarget | null) {
  // A chosen file is not a text, and React follows it by other events.
  const filled = [...part.querySelectorAll<HTMLInputElement>('input:not([type=file])')]
    .filter(({ value, defaultValue }) => value !== defaultValue)
    .map((input) => ({ input, value: input.value }))
  const others = filled.filter(({ input }) => input !== typed)
  if (others.length === 0) return
  // Each report renders the form, which empties the fields that React has not noticed yet. The field that the
  // user types in comes first, because writing its value again would move the cursor.
  for (const { input, value } of [...filled.filter(({ input }) => input === typed), ...others]) {
    if (input.value !== value) input.value = value
    reportFilledField(input)
  }
}

/**
 * Reports filled fields whenever the user acts in a form: before another field's change renders them empty
 * again, and before the form is checked.
 */
export function watchFilledFields() {
  let isReporting = false
  const report = ({ type, target }: Event) => {
    const form = target instanceof Element && target.closest('form')
    if (!form || isReporting) return
    isReporting = true
    flushSync(() => reportFilledFields(form, type === 'input' ? target : null))
    isReporting = false
  }
  for (const type of ['input', 'click', 'submit']) document.addEventListener(type, report, true)
}

type TrackedInput = HTMLInputElement & { _valueTracker?: { setValue(value: string): void } }
