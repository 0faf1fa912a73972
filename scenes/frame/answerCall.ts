import { neverAnswer } from '../fixtures.ts'
import { buildBaseAnswers } from './baseAnswers.ts'
import { scene, view } from './environment.ts'

type Responses = Readonly<Record<string, Readonly<Record<string, (...given: readonly unknown[]) => unknown>>>>

const scripted = (scene.answers ?? {}) as Responses
const usual = buildBaseAnswers(scene) as Responses

const SLOW = 2_000

/**
 * Returns the scene's response to the call of a service's function, or else the usual one; without either,
 * the call stays pending. The build replaces every function of the services with a call of this one.
 */
export function answerCall(service: string, name: string, given: readonly unknown[]): unknown {
  // All server functions are called through one function, whose first argument is the definition.
  const [called, args] =
    service === 'functions' ? [(given[0] as { name: string }).name, given.slice(1)] : [name, given]
  const respond = scripted[service]?.[called] ?? usual[service]?.[called] ?? neverAnswer
  const response = respond(...args)
  const isLate = view.isSlow && response instanceof Promise
  return isLate ? new Promise((resolve) => setTimeout(() => resolve(response), SLOW)) : response
}
