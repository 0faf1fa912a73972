const running = new Map<string, Promise<unknown>>()

export function runSingleFlight<T>(name: string, work: () => Promise<T>): Promise<T> {
  const current = running.get(name)
  if (current) return current as Promise<T>
  const begun = work().finally(() => running.delete(name))
  running.set(name, begun)
  return begun
}
