import type { AnyActorRef } from 'xstate'
import type { Result } from '../domain/common/result.ts'

interface Scope {
  readonly self: AnyActorRef
}

/** Throws, so that an actor that nothing provides never counts as an answer. */
export function throwUnprovided({ self }: Scope): never {
  throw new Error(`The actor '${self.src}' is not implemented`)
}

export const rejectUnprovided = async (scope: Scope): Promise<never> => throwUnprovided(scope)

export function throwUnprovidedAction(): never {
  throw new Error('An action of the machine is not implemented')
}

const getOutput = <T>({ event }: { event: { output: T } }) => event.output

/** Refers to a guard or action that takes the actor's output as its parameter. */
export const withAnswer = <Name extends string>(type: Name) => ({ type, params: getOutput })

export function assertDefined<Thing>(thing: Thing | null): Thing {
  if (thing === null) throw new Error('The context lacks a value that this state needs')
  return thing
}

/** Takes an answer that a guard has found to be ok. */
export const unwrapOk = <Value>(answer: Result<Value, unknown>): Value =>
  assertDefined(answer.ok ? answer : null).value

export const unwrapRefusal = <Refusal>(answer: Result<unknown, Refusal>): Refusal =>
  assertDefined(answer.ok ? null : answer).error
