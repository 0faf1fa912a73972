// People who left this device since the page was opened. A late answer for one of them has nowhere to be written.
const gone = new Set<string>()

export const hasLeft = (uid: string): boolean => gone.has(uid)

export function noteLeft(uid: string) {
  gone.add(uid)
}

/** Opens the device to the person, who may have left it before. */
export function welcomeUser(uid: string) {
  gone.delete(uid)
}
