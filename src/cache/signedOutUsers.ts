// Users who have signed out since the page was opened. A late response for one of them must not be stored.
const gone = new Set<string>()

export const hasSignedOut = (uid: string): boolean => gone.has(uid)

export function markSignedOut(uid: string) {
  gone.add(uid)
}

/** Allows rows of this user to be stored again. */
export function unmarkSignedOut(uid: string) {
  gone.delete(uid)
}
