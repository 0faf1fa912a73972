/** Four digits of the phone that no other phone has in that place: the last ones, if possible. */
export function pickTellingDigits(phone: string, others: readonly string[]): string {
  const cut = (of: string, skipped: number) => of.slice(-4 - skipped, of.length - skipped)
  const isShared = (skipped: number) =>
    others.some((other) => other !== phone && cut(other, skipped) === cut(phone, skipped))
  return cut(phone, [0, 2, 4].find((skipped) => !isShared(skipped)) ?? 0)
}
