import { useRef, useState } from 'react'

/** Moves the focus to a field of the form, by its name. */
export const focusField = (form: HTMLElement | null, field: string) =>
  form?.querySelector<HTMLElement>(`[name=${field}]`)?.focus()

/**
 * The values of a form and what is wrong with them. A change clears the problems of the fields that it changes; `report` shows the
 * problems that a check found, moves the focus to the first, and returns whether there are none.
 */
export function useForm<Values extends object, Problem extends { readonly field: string }>(
  initial: Values | (() => Values),
) {
  const form = useRef<HTMLFormElement>(null)
  const [values, setValues] = useState(initial)
  const [problems, setProblems] = useState<readonly Problem[]>([])
  /** Writes values that the user did not type, and keeps what is wrong with them. */
  const fill = (patch: Partial<Values>) => setValues((old) => ({ ...old, ...patch }))
  const change = (patch: Partial<Values>) => {
    fill(patch)
    setProblems((old) => old.filter(({ field }) => !(field in patch)))
  }
  const report = (found: readonly Problem[]) => {
    setProblems(found)
    const [first] = found
    if (first) focusField(form.current, first.field)
    return !first
  }
  const findProblem = (field: Problem['field']) => problems.find((problem) => problem.field === field)
  return { form, values, fill, change, report, findProblem }
}
