import type { StateValue } from 'xstate'
import type { Told } from './tell.ts'

/** Whether this is a step as the recorder writes it down, of any version of the app. */
export function isToldStep(one: unknown): one is Told {
  if (typeof one !== 'object' || one === null) return false
  const {
    tab,
    machine,
    actor,
    step,
    event,
    value,
    failed = true,
  } = one as Partial<Record<keyof Told, unknown>>
  return (
    [tab, machine, event].every((name) => typeof name === 'string') &&
    [actor, step].every(Number.isSafeInteger) &&
    failed === true &&
    isValue(value) &&
    Object.keys(value).length > 0
  )
}

/** A state's name, or states by the names of those around them. */
const isValue = (value: unknown): value is StateValue =>
  typeof value === 'string' ||
  (typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    Object.values(value).every(isValue))
