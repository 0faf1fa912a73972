import type { Subscription } from './plans.ts'

/** What the product keeps of a person. Specification, section 3. */
export interface Profile {
  readonly uid: string
  readonly email: string | null
  readonly name: string
  readonly phone: string | null
  readonly subscription: Subscription
}
