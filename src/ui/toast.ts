import { createStore } from '../browser/createStore.ts'

/** In milliseconds. Specification, section 9. */
const TOAST_DURATIONS = { success: 2000, info: 4000, error: 4000 } as const
const MAX_TOASTS = 20

export type ToastKind = keyof typeof TOAST_DURATIONS

export interface Toast {
  readonly id: number
  readonly kind: ToastKind
  readonly message: string
}

export const toasts = createStore<readonly Toast[]>([])
let lastId = 0

/** Specification, section 9. */
export function showToast(kind: ToastKind, message: string) {
  lastId += 1
  const id = lastId
  toasts.set([...toasts.get(), { id, kind, message }].slice(-MAX_TOASTS))
  setTimeout(() => toasts.set(toasts.get().filter(({ id: other }) => other !== id)), TOAST_DURATIONS[kind])
}
