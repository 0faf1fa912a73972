import { timingSafeEqual } from 'node:crypto'

/** Compares a given text with a secret one, in a time that does not tell where they differ. */
export function isSameSecret(given: string, secret: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(secret)]
  return a.length === b.length && timingSafeEqual(a, b)
}
