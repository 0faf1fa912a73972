// Selects a share of the mutants by their hash, so that two runs select the same ones.
import { createHash } from 'node:crypto'

interface Mutant {
  readonly id: string
  readonly fileName: string
  readonly location: { readonly start: { readonly line: number; readonly column: number } }
  readonly mutatorName: string
  readonly replacement: string
}

const share = Number(process.env.MUTANT_SHARE ?? 1)

function isInSample({ fileName, location, mutatorName, replacement }: Mutant): boolean {
  const file = fileName.split('/').slice(-2).join('/')
  const what = [file, location.start.line, location.start.column, mutatorName, replacement].join(' ')
  return createHash('sha256').update(what).digest().readUInt32BE() / 2 ** 32 < share
}

/** Rejects the mutants outside the sample as if they did not compile. */
export const strykerPlugins = [
  {
    kind: 'Checker',
    name: 'sample',
    factory: () => ({
      init: async () => undefined,
      check: async (mutants: readonly Mutant[]) =>
        Object.fromEntries(
          mutants.map((mutant) => [
            mutant.id,
            isInSample(mutant)
              ? { status: 'passed' }
              : { status: 'compileError', reason: 'Not in the sample' },
          ]),
        ),
    }),
  },
]
