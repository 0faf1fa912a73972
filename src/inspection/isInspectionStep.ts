import type { StateValue } from 'xstate'
import type { InspectionStep } from './broadcastSteps.ts'

/** Any version of the app may have stored the value. */
export function isInspectionStep(one: unknown): one is InspectionStep {
  if (typeof one !== 'object' || one === null) return false
  const {
    tab,
    machine,
    actor,
    step,
    event,
    value,
    failed = true,
  } = one as Partial<Record<keyof InspectionStep, unknown>>
  return (
    [tab, machine, event].every((name) => typeof name === 'string') &&
    [actor, step].every(Number.isSafeInteger) &&
    failed === true &&
    isValue(value) &&
    Object.keys(value).length > 0
  )
}

const isValue = (value: unknown): value is StateValue =>
  typeof value === 'string' ||
  (typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    Object.values(value).every(isValue))
