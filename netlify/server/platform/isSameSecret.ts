import { timingSafeEqual } from 'node:crypto'

/** The time taken does not tell where the texts differ. */
export function isSameSecret(given: string, secret: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(secret)]
  return a.length === b.length && timingSafeEqual(a, b)
}
