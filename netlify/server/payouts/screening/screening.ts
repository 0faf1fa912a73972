import type { ListProblem, ScreeningHit } from '../../../../domain/payouts/screening.ts'

// The port to a search in lists of sanctions. Another service is a file next to this one. It knows nothing
// about orders, holds and the database.

/** The sender: the names by which we know them, and the birth date of an approved document ('1970-05-31'). */
export interface ScreenedPerson {
  readonly names: readonly string[]
  readonly birthDate: string | null
}

/** The part of a transfer that is searched. The recipient's name is null if the transfer has none. */
export interface ScreenedTransfer {
  readonly recipientName: string | null
}

/** `unusable`: nothing was searched, so nothing may be paid out. */
export type ScreeningResult =
  | { readonly kind: 'clear' }
  | { readonly kind: 'hit'; readonly hits: readonly ScreeningHit[] }
  | { readonly kind: 'unusable'; readonly problem: ListProblem }

/** A list that can be searched, or why it can't be. `listedAt`: when it was published (UTC ms). */
export type ListState =
  | { readonly kind: 'usable'; readonly listedAt: number; readonly persons: number }
  | { readonly kind: 'unusable'; readonly problem: ListProblem }

/** Calls never throw and take a few seconds at most. */
export interface Screening {
  readonly screen: (person: ScreenedPerson, transfer: ScreenedTransfer) => Promise<ScreeningResult>
  readonly check: () => Promise<ListState>
}
