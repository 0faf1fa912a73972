import { expect, test } from 'vitest'
import { money } from '../../../domain/money/money.ts'
import type { TransferCheckoutProblem } from '../../../machines/transfer.ts'
import { getAlternativeAction } from './alternativeAction.ts'

const overCap = (leftCents: number) => ({ kind: 'monthlyCapExceeded', leftCents, resetsAt: 0 }) as const

test.each<[TransferCheckoutProblem | null, 'EUR' | 'CAD', ReturnType<typeof getAlternativeAction>]>([
  [null, 'EUR', null],
  [{ kind: 'initFailed' }, 'EUR', null],
  [{ kind: 'lookingUp' }, 'EUR', { kind: 'ask' }],
  [{ kind: 'stillChecking' }, 'EUR', { kind: 'ask' }],
  [{ kind: 'offline' }, 'EUR', null],
  [overCap(5000), 'EUR', { kind: 'lower', to: money(5000, 'EUR') }],
  // The largest amount that counts as at most 50.00 EUR at 0.60.
  [overCap(5000), 'CAD', { kind: 'lower', to: money(8334, 'CAD') }],
  [overCap(1000), 'EUR', { kind: 'lower', to: money(1000, 'EUR') }],
  [overCap(999), 'EUR', { kind: 'nothing' }],
  [overCap(0), 'EUR', { kind: 'nothing' }],
  [
    {
      ...{ kind: 'walletLimitExceeded', wallet: 'mtn_money' },
      ...{ limit: money(4_000_000, 'GNF'), fits: money(38_902, 'EUR') },
    },
    'EUR',
    { kind: 'lower', to: money(38_902, 'EUR') },
  ],
])('after the problem %j in %s, the main button offers %j', (problem, currency, expected) => {
  expect(getAlternativeAction(problem, currency)).toEqual(expected)
})
