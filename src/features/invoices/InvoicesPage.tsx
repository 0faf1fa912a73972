/** Specification, section 2: invoice screen. */
export function InvoicesPage(_: { uid: string }) {
  return null
}
