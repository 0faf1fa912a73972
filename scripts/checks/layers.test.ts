import { expect, test } from 'vitest'
import { findImportProblems } from './layers.ts'

test.each([
  ['domain/prices/fees.ts', '../../src/ui/i18n.ts'],
  ['domain/prices/fees.ts', 'hono'],
  ['machines/session.ts', '../src/services/auth.ts'],
  ['machines/session.ts', 'react'],
  ['src/browser/storage.ts', '../../domain/account/account.ts'],
  ['src/browser/press.ts', '../../machines/session.ts'],
  ['src/services/auth.ts', '../ui/i18n.ts'],
  ['src/services/auth.ts', '@mantine/core'],
  ['src/services/functions.ts', '../../netlify/server/platform/refusals.ts'],
  ['src/features/new/Page.tsx', '../receipt/Receipt.tsx'],
  ['src/features/new/Page.tsx', '../../shell/Home.tsx'],
  ['src/features/new/Page.tsx', '@stripe/stripe-js'],
  ['src/ui/Notice.tsx', '../features/receipt/receipt.samples.ts'],
  ['netlify/server/payments/refunds.ts', '../plans/plans.ts'],
  ['netlify/server/platform/caller.ts', '../../../src/services/auth.ts'],
  ['domain/transfers/timeline.ts', '../payouts/deliveryOrder.ts'],
  ['domain/money/money.ts', '../prices/quote.ts'],
  ['domain/account/email.ts', '../invoices/invoice.ts'],
  ['netlify/server/payments/settlement.ts', '../../../domain/payouts/deliveryOrder.ts'],
  ['src/features/receipt/DeliveryTimeline.tsx', '../../../domain/payouts/deliveryOrder.ts'],
  ['sandbox/page.ts', '../domain/money/money.ts'],
  ['sandbox/faults.test.ts', '../emulators/faults.ts'],
  ['emulators/tasks/tasks.ts', '../../domain/money/money.ts'],
  ['scenes/scenes.ts', '../scripts/storyboard/data.ts'],
  ['e2e/steps/scenes.ts', '../../scripts/checks/catalogs.ts'],
  ['e2e/offline.spec.ts', '../scripts/storyboard/data.ts'],
])('%s may not import %s, in any syntax', (file, name) => {
  for (const text of [
    `import { x } from '${name}'`,
    `import type {\n  X,\n} from '${name}'`,
    `import '${name}'`,
    `export * from '${name}'`,
    `const load = () => import('${name}')`,
  ])
    expect(findImportProblems([{ file, text }]), text).toHaveLength(1)
})

test.each([
  ['src/features/history/HistoryPage.tsx', './HistoryList.tsx'],
  ['print/receiptPdf.ts', './receiptContent.ts'],
  ['src/shell/Home.tsx', '../features/history/HistoryPage.tsx'],
  ['domain/money/moneySchema.ts', 'valibot'],
  ['src/services/auth.ts', 'firebase/auth'],
  ['src/browser/failure.ts', '../../domain/errors/failure.ts'],
  ['emulators/stripe/stripe.ts', '../auth/auth.ts'],
  ['netlify/server/payouts/orders.ts', '../../../domain/payouts/deliveryOrder.ts'],
  ['netlify/server/payments/refunds.test.ts', '../plans/plans.ts'],
  ['scripts/operations/explain.ts', '../../netlify/server/platform/records.ts'],
  ['emulators/tasks/tasks.ts', '../emulator.ts'],
  ['e2e/offline.spec.ts', '../scenes/scenes.ts'],
])('%s may import %s', (file, name) => {
  expect(findImportProblems([{ file, text: `import { x } from '${name}'` }])).toEqual([])
})

test.each([
  ['netlify/server/endpoints/dueWork.ts', 'const AT_ONCE = { mtn: 20 }'],
  ['src/ui/Notice.tsx', '// as MTN does'],
  ['domain/transfers/delivery.ts', 'const isPaidByMtn = true'],
])('%s may not name a payout provider: %s', (file, text) => {
  expect(findImportProblems([{ file, text }])).toEqual([`${file}:1 may not name a payout provider`])
})

test.each([
  ['netlify/server/payouts/settings.ts', `const isOn = by === 'mtn'`],
  ['domain/transfers/transfer.test.ts', `const by = 'mtn'`],
  ['src/ui/WalletIcon.tsx', `const wallet = 'mtn_money'`],
  ['domain/settings/appSettings.ts', 'const settings = { VITE_MTN_LONGEST_MINUTES: minutes }'],
])('%s may contain %s', (file, text) => {
  expect(findImportProblems([{ file, text }])).toEqual([])
})

test('reports a file outside of all layers and a cycle of imports', () => {
  expect(
    findImportProblems([
      { file: 'lib/things.ts', text: '' },
      { file: 'domain/common/one.ts', text: `import type { Two } from './two.ts'` },
      { file: 'domain/common/two.ts', text: `export * from './one.ts'` },
    ]),
  ).toEqual([
    'lib/things.ts: scripts/checks/layers.ts has no layer for its folder',
    'import cycle: domain/common/one.ts → domain/common/two.ts → domain/common/one.ts',
  ])
})
