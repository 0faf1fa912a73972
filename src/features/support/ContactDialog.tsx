/** How to reach the support. Specification, section 2. */
export function ContactDialog(_: { onClose: () => void }) {
  return null
}
