import { createHash } from 'node:crypto'

/**
 * Depends only on the transfer and the number of the attempt (from 1), so nothing is sent twice if a restored
 * database has lost the attempt. A UUID marked as version 4, because providers check the version.
 */
export function buildReference(transferId: string, attempt: number): string {
  const digits = createHash('sha256').update(`payout:${transferId}:${attempt}`).digest('hex').slice(0, 32)
  const variant = ((Number.parseInt(digits.charAt(16), 16) & 0x3) | 0x8).toString(16)
  const marked = `${digits.slice(0, 12)}4${digits.slice(13, 16)}${variant}${digits.slice(17)}`
  return marked.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}
