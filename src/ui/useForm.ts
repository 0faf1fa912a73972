import { type ChangeEvent, useRef, useState } from 'react'

export const focusField = (form: HTMLElement | null, field: string) =>
  form?.querySelector<HTMLElement>(`[name=${field}]`)?.focus()

/**
 * A change clears the problems of its fields. `report` shows the problems of a check, focuses the first field
 * and returns whether there are no problems. `bind` returns the properties of a value's text field.
 */
export function useForm<Values extends object, Problem extends { readonly field: string }>(
  initial: Values | (() => Values),
  getText: (problem: Problem) => string,
) {
  const form = useRef<HTMLFormElement>(null)
  const [values, setValues] = useState(initial)
  const [problems, setProblems] = useState<readonly Problem[]>([])
  // Rendering empties the fields that React has not noticed.
  const autofill = form.current && readFilled(form.current, values)
  if (autofill) setValues({ ...values, ...autofill })
  /** Sets values that the user did not type, and keeps their problems. */
  const fill = (patch: Partial<Values>) => setValues((old) => ({ ...old, ...patch }))
  const change = (patch: Partial<Values>) => {
    fill(patch)
    setProblems((old) => old.filter(({ field }) => !(field in patch)))
  }
  const report = (next: readonly Problem[]) => {
    setProblems(next)
    const [first] = next
    if (first) focusField(form.current, first.field)
    return !first
  }
  const bind = (name: keyof Values & string) => {
    const wrong = problems.find(({ field }) => field === name)
    return {
      name,
      value: String(values[name]),
      onChange: ({ currentTarget }: ChangeEvent<HTMLInputElement>) =>
        change({ [name]: currentTarget.value } as Partial<Values>),
      error: wrong && getText(wrong),
    }
  }
  return { form, values, fill, change, report, bind }
}

/** A browser or a password manager fills in values without an event. */
function readFilled<Values extends object>(form: HTMLFormElement, values: Values) {
  const autofill = Object.entries(values).flatMap(([name, value]) => {
    const field = form.elements.namedItem(name)
    const isFilled =
      field instanceof HTMLInputElement && field.value !== field.defaultValue && field.value !== value
    return isFilled ? [[name, field.value]] : []
  })
  return autofill.length > 0 ? Object.fromEntries(autofill) : null
}
