// What machines need for the actors that they declare, and for what their states take for granted.
import type { AnyActorRef } from 'xstate'
import type { Result } from '../domain/result.ts'

interface Scope {
  readonly self: AnyActorRef
}

/** For an actor that a machine declares and does not bring: who starts the machine provides it. Throws, so that it never passes for an answer. */
export function unprovided({ self }: Scope): never {
  throw new Error(`${self.src} must be provided`)
}

/** The same for one that answers once, and later. */
export const unprovidedAnswer = async (scope: Scope): Promise<never> => unprovided(scope)

/** The same for an action. */
export function unprovidedAction(): never {
  throw new Error('What the machine wants done must be provided')
}

/** What the actor answered whose end is the event. */
const outputOf = <T>({ event }: { event: { output: T } }) => event.output

/** A guard or an action that takes what the actor answered. */
export const withAnswer = <Name extends string>(type: Name) => ({ type, params: outputOf })

/** For what a state needs that is reached only with it in place. */
export function inPlace<Thing>(thing: Thing | null): Thing {
  if (thing === null) throw new Error('This state was reached without what it needs')
  return thing
}

/** What was asked for, where a guard has seen that it is there. */
export const granted = <Value>(answer: Result<Value, unknown>): Value =>
  inPlace(answer.ok ? answer : null).value

/** Why it is not there, where a guard has seen that. */
export const refusalIn = <Refusal>(answer: Result<unknown, Refusal>): Refusal =>
  inPlace(answer.ok ? null : answer).error
