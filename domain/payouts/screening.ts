import * as v from 'valibot'
import { DAY } from '../common/duration.ts'
import type { Output } from '../common/schema.ts'

// The search for both persons of a transfer in a list of sanctions, before a provider gets the transfer.

/** Time within which a sender gets an answer about a transfer that the search holds, in milliseconds. */
export const SCREENING_ANSWER_PERIOD = 3 * DAY

/**
 * Causes of a hold: a name is like one on the list, so an operator decides; or the list can't be used, so the
 * search is repeated.
 */
export const SCREENING_CAUSES = ['screening', 'screeningList'] as const
export type ScreeningCause = (typeof SCREENING_CAUSES)[number]

export const isScreeningCause = (cause: string): cause is ScreeningCause =>
  SCREENING_CAUSES.some((one) => one === cause)

export const screeningHitSchema = v.object({
  who: v.picklist(['sender', 'recipient']),
  /** ID, main name and birth dates ('1970', '1970-05', '1970-05-31') of the person on the list. */
  entry: v.string(),
  name: v.string(),
  birthDates: v.array(v.string()),
})

/** A person of the transfer whose name is like one on the list. */
export type ScreeningHit = Output<typeof screeningHitSchema>

/** Why the list can't be used. */
export const LIST_PROBLEMS = ['missing', 'empty', 'unreadable', 'outdated'] as const
export type ListProblem = (typeof LIST_PROBLEMS)[number]
