import type { ListProblem } from '../../domain/payouts/screening.ts'
import type { Screening } from '../server/payouts/screening/screening.ts'

export const LISTED_NAME = 'Sékou Keïta'

/** One name is on the list, and the list may have a problem. */
export function createSimulatedScreening() {
  let problem: ListProblem | null = null
  let wasUsable = true
  const screening: Screening = {
    async screen({ names }, { recipientName }) {
      if (problem !== null) return { kind: 'unusable', problem }
      const hit = { entry: 'fx-1', name: LISTED_NAME, birthDates: [] }
      const hits = [
        ...(names.includes(LISTED_NAME) ? [{ who: 'sender' as const, ...hit }] : []),
        ...(recipientName === LISTED_NAME ? [{ who: 'recipient' as const, ...hit }] : []),
      ]
      return hits.length > 0 ? { kind: 'hit', hits } : { kind: 'clear' }
    },
    check: async () =>
      problem === null ? { kind: 'usable', listedAt: 0, persons: 1 } : { kind: 'unusable', problem },
  }
  return {
    screening,
    fail(next: ListProblem | null) {
      problem = next
      wasUsable ||= next === null
    },
    begin() {
      wasUsable = problem === null
    },
    wasUsable: () => wasUsable,
  }
}
