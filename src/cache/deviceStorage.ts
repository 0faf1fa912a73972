/** Why the device keeps nothing: its disk is full, another window holds the rows, or its storage does not work. */
export type StorageProblem = 'full' | 'held' | 'broken'

let problem: StorageProblem | null = null
const listeners = new Set<() => void>()

/** Why nothing of this page outlives it, for a screen to say so; null while rows are kept. */
export const storageProblem = (): StorageProblem | null => problem

export function watchStorageProblem(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export function noteStorageProblem(next: StorageProblem | null) {
  problem = next
  for (const listener of listeners) listener()
}
