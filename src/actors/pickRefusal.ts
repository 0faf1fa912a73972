import type { FunctionFailure } from '../../domain/errors/failure.ts'
import type { RefusalCode, RefusalProblem } from '../../domain/errors/refusals.ts'

export const pickRefusal = <Code extends RefusalCode>(
  { code, details }: FunctionFailure,
  codes: readonly Code[],
): RefusalProblem<Code> | null =>
  codes.some((one) => one === code) ? ({ kind: code, ...details } as RefusalProblem<Code>) : null
