import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { createSandbox } from '../../../sandbox/sandbox.ts'
import { checkFunctionSettings } from './settings.ts'
import { computeRateLoss } from './wallets.ts'

const origin = () => 'http://localhost:5173'
const settings = createSandbox({ origin, functionsOrigin: origin }).functionSettings()
const examine = (variables: Readonly<Record<string, string>>) =>
  checkFunctionSettings({ ...settings, ...variables }, false).findings.map(
    ({ verdict, said }) => `${verdict}: ${said}`,
  )
const describeLoss = (rate: string, percent: string, cost: string) =>
  `warning: The fixed rate of GNF 10,600 for 1 EUR loses ${percent} % against the rate of ${rate}: paying out 100 EUR costs ${cost} EUR.`
const VITE_WALLET_TARIFFS = JSON.stringify({
  mtn_money: { since: '2026-11-01', limit: 4_000_000, cashOut: { percent: 1 } },
})

test('without limits, tariffs and reference, the fixed rate is not mentioned', () => {
  expect(examine({}).join()).not.toMatch(/rate|wallet/i)
})

test('the doctor warns if the fixed rate loses against the reference', () => {
  expect(examine({ REFERENCE_RATE_GNF: '10000@2026-11-27' })).toContain(
    describeLoss('10,000 of 2026-11-27', '6.0', '106.00'),
  )
})

test('without a reference, the last official rate is compared', () => {
  expect(examine({ VITE_WALLET_TARIFFS })).toEqual(
    expect.arrayContaining([
      'good: MTN Money takes at most GNF 4,000,000 in one transfer, by its tariff of 2026-11-01 (VITE_WALLET_TARIFFS).',
      'good: The form shows what remains after a cash-out of MTN Money, by its tariff of 2026-11-01.',
      describeLoss('10,063.85 of 2025-08-08', '5.3', '105.33'),
    ]),
  )
})

test('the doctor accepts a reference rate equal to the fixed one', () => {
  expect(examine({ REFERENCE_RATE_GNF: '10600@2026-11-27' })).toContain(
    'good: The fixed rate of GNF 10,600 for 1 EUR loses nothing against the rate of 10,600 of 2026-11-27.',
  )
})

test('the doctor finds unreadable tariffs and an unreadable reference rate', () => {
  expect(examine({ VITE_WALLET_TARIFFS: '{"mtn":{}}', REFERENCE_RATE_GNF: '10063,85' })).toEqual([
    'bad: VITE_WALLET_TARIFFS.mtn must be the limits and cash-out tariffs of wallets as JSON: docs/deploying.md, Settings.',
    "bad: REFERENCE_RATE_GNF must be francs for 1 EUR and their day, such as '10063.85@2025-08-08'.",
  ])
})

test('docs/scale.md counts the loss of the last known official rate', () => {
  const loss = 97 * 1_000 * (computeRateLoss({ gnf: 10_063.85 }) / 100)
  const format = (euros: number) => `−${Math.round(euros).toLocaleString('en')} €`
  const page = readFileSync(new URL('../../../docs/scale.md', import.meta.url), 'utf8')
  expect(page).toContain(format(loss))
  expect(page).toContain(format(loss + 1_750 - 3_000))
})
