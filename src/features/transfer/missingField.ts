import type { TransferProblem } from '../../../domain/transfers/transfer.ts'

/** Null if there is none, or if only the confirmation is missing and the user sees it. */
export function findNamedProblem(
  problems: readonly TransferProblem[],
  isConfirmationInView: boolean,
): TransferProblem | null {
  const [first] = problems
  if (!first || (first.field === 'phoneConfirmed' && isConfirmationInView)) return null
  return first
}

export const isConfirmationNext = (problems: readonly TransferProblem[]): boolean =>
  problems.length > 0 && problems.every(({ field }) => field === 'phoneConfirmed')
