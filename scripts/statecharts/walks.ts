import { readFileSync } from 'node:fs'
import type { WalkReport } from '../../machines/testing/walk.ts'

interface Report {
  readonly testResults: readonly {
    readonly assertionResults: readonly {
      readonly title: string
      readonly meta: { readonly walks?: readonly WalkReport[] }
    }[]
  }[]
}

export function parseWalks(report: string): (WalkReport & { readonly test: string })[] {
  const { testResults }: Report = JSON.parse(readFileSync(report, 'utf8'))
  return testResults
    .flatMap(({ assertionResults }) => assertionResults)
    .flatMap(({ title, meta }) => (meta.walks ?? []).map((walk) => ({ ...walk, test: title })))
}
