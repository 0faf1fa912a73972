// Lets a share of the mutants through and sets the others aside: which ones follows from what they are, so that two runs take the same.
import { createHash } from 'node:crypto'

interface Mutant {
  readonly id: string
  readonly fileName: string
  readonly location: { readonly start: { readonly line: number; readonly column: number } }
  readonly mutatorName: string
  readonly replacement: string
}

const share = Number(process.env.MUTANT_SHARE ?? 1)

function isChosen({ fileName, location, mutatorName, replacement }: Mutant): boolean {
  const file = fileName.split('/').slice(-2).join('/')
  const what = [file, location.start.line, location.start.column, mutatorName, replacement].join(' ')
  return createHash('sha256').update(what).digest().readUInt32BE() / 2 ** 32 < share
}

/** As Stryker loads it: a checker, which otherwise sets aside what does not compile. */
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
            isChosen(mutant) ? { status: 'passed' } : { status: 'compileError', reason: 'Not in the sample' },
          ]),
        ),
    }),
  },
]
