export function ensurePackages(wantsAll: boolean, say: (text: string) => void): string | null
export function isIdle(path: string): boolean
