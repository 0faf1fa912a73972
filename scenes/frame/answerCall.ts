import * as v from 'valibot'
import { ServiceError } from '../../src/browser/failure.ts'
import { buildBaseAnswers } from './baseAnswers.ts'
import { responses, type SetResponse, scene, view } from './environment.ts'

interface Definition {
  readonly name: string
  readonly response: v.GenericSchema
}

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

const calls: Record<string, (readonly unknown[])[]> = {}

Object.assign(window, { setResponse, calls })

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
  if (service === 'functions') {
    const [definition, body] = given as [Definition, unknown]
    const response = respondTo(service, definition.name, [body])
    return Promise.resolve(response).then((value) => {
      // The app takes the error below for a failed call, which would not fail the scene.
      if (!v.is(definition.response, value))
        reportError(new TypeError(`A scene’s response of ${definition.name}`))
      return v.parse(definition.response, value)
    })
  }
  return respondTo(service, name, given)
}

function respondTo(service: string, name: string, given: readonly unknown[]): unknown {
  const call = `${service}.${name}`
  calls[call] = [...(calls[call] ?? []), given]
  const respond = set.has(call) ? undefined : (scripted[service]?.[name] ?? usual[service]?.[name])
  if (!respond) return respondAsSet(call)
  const response = respond(...given)
  const isLate = view.isSlow && response instanceof Promise
  return isLate ? new Promise((resolve) => setTimeout(() => resolve(response), SLOW)) : response
}
