import type { ListProblem, ScreeningHit } from '../../../../domain/payouts/screening.ts'

// The port to a search in lists of sanctions. It knows nothing about orders, holds and the database.

/** `birthDate`: of an approved document ('1970-05-31'). */
export interface ScreenedPerson {
  readonly names: readonly string[]
  readonly birthDate: string | null
}

export interface ScreenedTransfer {
  readonly recipientName: string | null
}

/** `unusable`: nothing was searched, so nothing may be paid out. */
export type ScreeningResult =
  | { readonly kind: 'clear' }
  | { readonly kind: 'hit'; readonly hits: readonly ScreeningHit[] }
  | { readonly kind: 'unusable'; readonly problem: ListProblem }

/** `listedAt`: when the list was published (UTC ms). */
export type ListState =
  | { readonly kind: 'usable'; readonly listedAt: number; readonly persons: number }
  | { readonly kind: 'unusable'; readonly problem: ListProblem }

/** Calls never throw and take a few seconds at most. */
export interface Screening {
  readonly screen: (person: ScreenedPerson, transfer: ScreenedTransfer) => Promise<ScreeningResult>
  readonly check: () => Promise<ListState>
}
