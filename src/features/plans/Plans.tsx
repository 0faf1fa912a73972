/** The plans, in the settings. Specification, sections 2 and 3. */
export function Plans(_: { uid: string }) {
  return null
}
