const running = new Map<string, Promise<unknown>>()

/** Runs the work, or joins running work of the same name, so that two parts of a page make one request. */
export function runSingleFlight<T>(name: string, work: () => Promise<T>): Promise<T> {
  const known = running.get(name)
  if (known) return known as Promise<T>
  const begun = work().finally(() => running.delete(name))
  running.set(name, begun)
  return begun
}
