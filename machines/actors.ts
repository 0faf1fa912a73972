// What machines need for the actors that they declare.

/** For an actor that a machine declares and does not bring: who starts the machine provides it. Throws, so that it never passes for an answer. */
export function unprovided(actor: string): never {
  throw new Error(`${actor} must be provided`)
}

/** The params of a guard or an action: what the actor answered whose end is the event. */
export const outputOf = <T>({ event }: { event: { output: T } }) => event.output
