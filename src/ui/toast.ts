/** How long a message stays, in milliseconds. Specification, section 9. */
const STAYS = { success: 2000, info: 4000, error: 4000 } as const
const MOST = 20

export type ToastKind = keyof typeof STAYS

export interface Toast {
  readonly id: number
  readonly kind: ToastKind
  readonly message: string
}

let toasts: readonly Toast[] = []
let lastId = 0
const listeners = new Set<() => void>()

/** A short message over the page. Specification, section 9. */
export function toast(kind: ToastKind, message: string) {
  lastId += 1
  const id = lastId
  change([...toasts, { id, kind, message }].slice(-MOST))
  setTimeout(() => change(toasts.filter((shown) => shown.id !== id)), STAYS[kind])
}

export const shownToasts = () => toasts

export function watchToasts(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

function change(next: readonly Toast[]) {
  toasts = next
  for (const listener of listeners) listener()
}
