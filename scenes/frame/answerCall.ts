import { ServiceError } from '../../src/browser/failure.ts'
import { buildBaseAnswers } from './baseAnswers.ts'
import { responses, type SetResponse, scene, view } from './environment.ts'

type Responses = Readonly<Record<string, Readonly<Record<string, (...given: readonly unknown[]) => unknown>>>>

const scripted = (scene.answers ?? {}) as Responses
const usual = buildBaseAnswers(scene) as Responses

const SLOW = 2_000

const set = new Map(Object.entries(responses))
const waiting = new Map<string, PromiseWithResolvers<Exclude<SetResponse, 'held'>>>()

/** Applies to pending and future calls of a function such as `contacts.createContact`. */
function setResponse(call: string, response: SetResponse) {
  set.set(call, response)
  if (response === 'held') return
  waiting.get(call)?.resolve(response)
  waiting.delete(call)
}

Object.assign(window, { setResponse })

async function respondAsSet(call: string): Promise<unknown> {
  let response = set.get(call) ?? 'held'
  if (response === 'held') {
    const next = waiting.get(call) ?? Promise.withResolvers()
    waiting.set(call, next)
    response = await next.promise
  }
  if ('failure' in response) throw new ServiceError(response.failure)
  return response.value
}

/**
 * Responds as the test has set, else as the scene says, else as usual. Without a response, the call stays
 * pending. The build replaces every function of the services with a call of this one.
 */
export function answerCall(service: string, name: string, given: readonly unknown[]): unknown {
  // All server functions are called through one function, whose first argument is the definition.
  const [called, args] =
    service === 'functions' ? [(given[0] as { name: string }).name, given.slice(1)] : [name, given]
  const call = `${service}.${called}`
  const respond = set.has(call) ? undefined : (scripted[service]?.[called] ?? usual[service]?.[called])
  if (!respond) return respondAsSet(call)
  const response = respond(...args)
  const isLate = view.isSlow && response instanceof Promise
  return isLate ? new Promise((resolve) => setTimeout(() => resolve(response), SLOW)) : response
}
