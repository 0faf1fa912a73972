const running = new Map<string, Promise<unknown>>()

/** Does the work unless the work of that name is under way: two parts of a page that ask at once ask once. */
export function singleFlight<T>(name: string, work: () => Promise<T>): Promise<T> {
  const known = running.get(name)
  if (known) return known as Promise<T>
  const begun = work().finally(() => running.delete(name))
  running.set(name, begun)
  return begun
}
