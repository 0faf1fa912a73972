const HOUR = 3_600_000

/** When money sent at `sentAt` is expected; both in UTC ms. One hour later. Specification, section 9. */
export function estimatedArrival(sentAt: number): number {
  return sentAt + HOUR
}
