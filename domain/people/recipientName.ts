import { err, ok, type Result } from '../common/result.ts'
import { truncateName } from './name.ts'

export type NameQuestion = 'none' | 'optional' | 'required'

export interface RecipientFacts {
  /** Without spaces. */
  readonly phone: string
  readonly name: string | null
  readonly nameQuestion: NameQuestion
}

export type RecipientNameProblem = { readonly kind: 'recipientNameRequired' }

/** Null without a name, a problem only where it is required (Regulation (EU) 2023/1113, article 4). */
export function checkRecipientName(
  text: string,
  isRequired: boolean,
): Result<string | null, RecipientNameProblem> {
  const name = truncateName(text)
  return name === null && isRequired ? err({ kind: 'recipientNameRequired' }) : ok(name)
}
