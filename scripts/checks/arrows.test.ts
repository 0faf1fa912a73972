import { describe, expect, test } from 'vitest'
import { arrowProblems } from './arrows.ts'
import { importsOf, readImports } from './imports.ts'

const problemsOf = (...sources: readonly (readonly [file: string, text: string])[]) =>
  arrowProblems(sources.map(([file, text]) => importsOf(file, text)))

test('in this project every arrow points down, and nothing goes round', () => {
  expect(arrowProblems(readImports('.'))).toEqual([])
})

describe('an arrow', () => {
  test.each([
    ['domain/fees.ts', '../src/ui/i18n.ts'],
    ['machines/boot.ts', '../src/services/auth.ts'],
    ['src/services/auth.ts', '../ui/i18n.ts'],
    ['src/ui/Notice.tsx', '../features/history/HistoryPage.tsx'],
    ['src/features/history/HistoryPage.tsx', '../receipt/Receipt.tsx'],
    ['src/features/quiteNew/Page.tsx', '../receipt/Receipt.tsx'],
    ['src/features/quiteNew/Page.tsx', '../../shell/Home.tsx'],
    ['src/services/functions.ts', '../../netlify/server/platform/refusals.ts'],
    ['netlify/server/payments/refunds.ts', '../plans/plans.ts'],
    ['netlify/server/platform/caller.ts', '../../../src/services/auth.ts'],
    ['sandbox/page.ts', '../emulators/stripe/stripe.ts'],
    ['sandbox/faults.test.ts', '../emulators/faults.ts'],
    ['sandbox/page.ts', '../domain/money.ts'],
    ['src/ui/Notice.tsx', '../features/receipt/receipt.samples.ts'],
  ])('from %s to %s is wrong', (file, target) => {
    expect(problemsOf([file, `import { x } from '${target}'`])).toHaveLength(1)
    expect(problemsOf([file, `import type { X } from '${target}'`])).toHaveLength(1)
    expect(problemsOf([file, `export { x } from '${target}'`])).toHaveLength(1)
    expect(problemsOf([file, `const x = () => import('${target}')`])).toHaveLength(1)
  })

  test.each([
    ['src/features/history/HistoryPage.tsx', './HistoryList.tsx'],
    ['src/features/history/HistoryPage.tsx', '../../ui/Notice.tsx'],
    ['src/features/receipt/pdf/receiptPdf.ts', '../receiptContent.ts'],
    ['src/shell/Home.tsx', '../features/history/HistoryPage.tsx'],
    ['netlify/server/endpoints/sweep.ts', '../platform/records.ts'],
    ['netlify/server/payments/refunds.test.ts', '../plans/plans.ts'],
    ['scripts/operations/explain.ts', '../../netlify/server/platform/records.ts'],
  ])('from %s to %s is right', (file, target) => {
    expect(problemsOf([file, `import { x } from '${target}'`])).toEqual([])
  })

  test('from a folder that stands nowhere is told of', () => {
    expect(problemsOf(['lib/things.ts', ''])).toEqual([
      'lib/things.ts: stands on no floor; house.ts says where each folder stands',
    ])
  })
})

describe('a package', () => {
  test.each([
    ['domain/fees.ts', 'zod'],
    ['machines/boot.ts', 'react'],
    ['src/services/auth.ts', '@mantine/core'],
    ['src/cache/drafts.ts', 'firebase/app'],
    ['src/features/quiteNew/Page.tsx', '@stripe/stripe-js'],
  ])('in %s is not %s', (file, name) => {
    expect(problemsOf([file, `import x from '${name}'`])).toHaveLength(1)
  })

  test.each([
    ['machines/boot.ts', 'xstate'],
    ['src/services/auth.ts', 'firebase/auth'],
    ['src/cache/drafts.ts', 'dexie'],
  ])('in %s may be %s', (file, name) => {
    expect(problemsOf([file, `import x from '${name}'`])).toEqual([])
  })
})

test('files that import each other in a loop are told of, once', () => {
  const loop = problemsOf(
    ['domain/one.ts', `import type { Two } from './two.ts'`],
    ['domain/two.ts', `import { three } from './three.ts'`],
    ['domain/three.ts', `export * from './one.ts'`],
  )
  expect(loop).toEqual(['circle: domain/one.ts → domain/two.ts → domain/three.ts → domain/one.ts'])
})
