/** Specification, section 2: Wallet. */
export function WalletPage(_: { uid: string }) {
  return null
}
