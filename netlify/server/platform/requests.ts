import { z } from 'zod'

// What stands in the requests of more than one function. Specification, section 7.

/** An attempt to pay, by the id that the device made for it. */
export const byAttempt = z.strictObject({ attemptId: z.uuid().toLowerCase() })

/** A plan, by its subscription at the provider. */
export const bySubscription = z.strictObject({ subscriptionId: z.string().regex(/^sub_\w{1,250}$/) })
