import * as v from 'valibot'
import { DAY } from '../common/duration.ts'
import type { Output } from '../common/schema.ts'

/** Milliseconds within which the sender of a held transfer gets an answer. */
export const SCREENING_ANSWER_PERIOD = 3 * DAY

/** A name is like one on the list: an operator decides. The list can't be used: the search is repeated. */
export const SCREENING_CAUSES = ['screening', 'screeningList'] as const
export type ScreeningCause = (typeof SCREENING_CAUSES)[number]

export const isScreeningCause = (cause: string): cause is ScreeningCause =>
  SCREENING_CAUSES.some((one) => one === cause)

export const screeningHitSchema = v.object({
  who: v.picklist(['sender', 'recipient']),
  /** From the list. Birth dates: '1970', '1970-05', '1970-05-31'. */
  entry: v.string(),
  name: v.string(),
  birthDates: v.array(v.string()),
})

export type ScreeningHit = Output<typeof screeningHitSchema>

export const LIST_PROBLEMS = ['missing', 'empty', 'unreadable', 'outdated'] as const
export type ListProblem = (typeof LIST_PROBLEMS)[number]
