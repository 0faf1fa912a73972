// What machines need for the actors that they declare.

/** For an actor that a machine declares and does not bring: who starts the machine provides it. Throws, so that it never passes for an answer. */
export function unprovided(actor: string): never {
  throw new Error(`${actor} must be provided`)
}

/** What the actor answered whose end is the event. */
const outputOf = <T>({ event }: { event: { output: T } }) => event.output

/** A guard or an action that takes what the actor answered. */
export const withAnswer = <Name extends string>(type: Name) => ({ type, params: outputOf })
