// Placeholders for the actors that machines declare, and helpers for values that a state requires.
import type { AnyActorRef } from 'xstate'
import type { Result } from '../domain/common/result.ts'

interface Scope {
  readonly self: AnyActorRef
}

/**
 * Placeholder for an actor that the machine's creator must provide. Throws, so it never counts as an answer.
 */
export function throwUnprovided({ self }: Scope): never {
  throw new Error(`The actor '${self.src}' is not implemented`)
}

/** Placeholder for a promise actor that the machine's creator must provide. */
export const rejectUnprovided = async (scope: Scope): Promise<never> => throwUnprovided(scope)

/** Placeholder for an action that the machine's creator must provide. */
export function throwUnprovidedAction(): never {
  throw new Error('An action of the machine is not implemented')
}

/** Returns the output of the actor whose completion is the event. */
const getOutput = <T>({ event }: { event: { output: T } }) => event.output

/** Refers to a guard or action that takes the actor's output as its parameter. */
export const withAnswer = <Name extends string>(type: Name) => ({ type, params: getOutput })

/** Asserts a value that the state guarantees. */
export function assertDefined<Thing>(thing: Thing | null): Thing {
  if (thing === null) throw new Error('The context lacks a value that this state needs')
  return thing
}

/** Returns the value of an answer that a guard has found to be ok. */
export const unwrapOk = <Value>(answer: Result<Value, unknown>): Value =>
  assertDefined(answer.ok ? answer : null).value

/** Returns the error of an answer that a guard has found to be a refusal. */
export const unwrapRefusal = <Refusal>(answer: Result<unknown, Refusal>): Refusal =>
  assertDefined(answer.ok ? null : answer).error
