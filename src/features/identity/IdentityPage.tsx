/** Specification, section 2: identity verification. */
export function IdentityPage(_: { uid: string }) {
  return null
}
