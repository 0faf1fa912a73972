/** A value outside of React that calls its listeners back when it is set. `useStore` reads it in a component. */
export interface Store<T> {
  readonly get: () => T
  /** The first value, which the prerendered page shows. */
  readonly getInitial: () => T
  readonly set: (next: T) => void
  readonly subscribe: (listener: () => void) => () => void
}

export function createStore<T>(initial: T): Store<T> {
  let value = initial
  const listeners = new Set<() => void>()
  return {
    get: () => value,
    getInitial: () => initial,
    set: (next) => {
      value = next
      for (const listener of listeners) listener()
    },
    subscribe: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}
