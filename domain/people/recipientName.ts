import { err, ok, type Result } from '../common/result.ts'
import { truncateName } from './name.ts'

/** Whether the form asks for the recipient's name, and whether the transfer needs it. */
export type NameQuestion = 'none' | 'optional' | 'required'

/** The facts about the number in the form that determine the recipient's name. Plain data. */
export interface RecipientFacts {
  /** Without spaces. */
  readonly phone: string
  /** The known name, which goes with the transfer; null if there is none. */
  readonly name: string | null
  readonly nameQuestion: NameQuestion
}

export type RecipientNameProblem = { readonly kind: 'recipientNameRequired' }

/**
 * Cleans a recipient's name. Null without one, which is a problem only where a name is required (Regulation
 * (EU) 2023/1113, article 4).
 */
export function checkRecipientName(
  text: string,
  isRequired: boolean,
): Result<string | null, RecipientNameProblem> {
  const name = truncateName(text)
  return name === null && isRequired ? err({ kind: 'recipientNameRequired' }) : ok(name)
}
