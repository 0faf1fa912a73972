const running = new Map<string, Promise<unknown>>()

/** Does the work, or waits for work of the same name that is under way. Two parts of a page that ask together ask the server once. */
export function singleFlight<T>(name: string, work: () => Promise<T>): Promise<T> {
  const known = running.get(name)
  if (known) return known as Promise<T>
  const begun = work().finally(() => running.delete(name))
  running.set(name, begun)
  return begun
}
