// A late response for one of them must not be stored. The database asks, which can't import the session's chart.
const gone = new Set<string>()

export const hasSignedOut = (uid: string): boolean => gone.has(uid)

export function markSignedOut(uid: string) {
  gone.add(uid)
}

export function unmarkSignedOut(uid: string) {
  gone.delete(uid)
}
