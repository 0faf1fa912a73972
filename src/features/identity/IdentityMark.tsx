/** Whether an identity file is approved, in the profile menu. Specification, section 2. */
export function IdentityMark(_: { uid: string }) {
  return null
}
