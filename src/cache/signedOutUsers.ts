// A late response for one of them must not be stored.
const gone = new Set<string>()

export const hasSignedOut = (uid: string): boolean => gone.has(uid)

export function markSignedOut(uid: string) {
  gone.add(uid)
}

export function unmarkSignedOut(uid: string) {
  gone.delete(uid)
}
