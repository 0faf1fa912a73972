import { vi } from 'vitest'

/** Returns the stored texts by key, and the methods for a spy. */
export function stubStorage(entries: Record<string, string> = {}, name = 'localStorage') {
  const methods = {
    getItem: (key: string) => entries[key] ?? null,
    setItem: (key: string, text: string) => void Object.assign(entries, { [key]: text }),
    removeItem: (key: string) => void delete entries[key],
  }
  vi.stubGlobal(name, new Proxy(entries, { get: (_, method) => methods[method as keyof typeof methods] }))
  return { entries, methods }
}
