import { flushSync } from 'react-dom'

/**
 * Reports to React a value that was typed before hydration or filled in without an event. React compares with
 * the value that it last saw, in `_valueTracker` (React 19.3); setting it back avoids a change of the field,
 * which would move the cursor. `filledFields.test.ts` looks for the name in React.
 */
export function reportFilledField(input: HTMLInputElement) {
  const { _valueTracker: tracker } = input as TrackedInput
  tracker?.setValue(input.defaultValue)
  input.dispatchEvent(new InputEvent('input', { bubbles: true }))
}

export function reportFilledFields(part: ParentNode, typed?: EventTarget | null) {
  // A chosen file is not a text, and React follows it by other events.
  const filled = [...part.querySelectorAll<HTMLInputElement>('input:not([type=file])')]
    .filter(({ value, defaultValue }) => value !== defaultValue)
    .map((input) => ({ input, value: input.value }))
  const others = filled.filter(({ input }) => input !== typed)
  if (others.length === 0) return
  // Each report renders the form, which empties unnoticed fields. The typed field comes first, because
  // writing its value again would move the cursor.
  for (const { input, value } of [...filled.filter(({ input }) => input === typed), ...others]) {
    if (input.value !== value) input.value = value
    reportFilledField(input)
  }
}

/** Reports before another field's change renders a filled field empty, and before the form is checked. */
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
