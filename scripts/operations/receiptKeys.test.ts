import { parseEnv } from 'node:util'
import * as v from 'valibot'
import { expect, test } from 'vitest'
import { receiptKeysSchema } from '../../domain/transfers/receiptKeys.ts'
import { readFunctionSettings } from '../../netlify/server/payouts/settings.ts'
import { createSandbox } from '../../sandbox/sandbox.ts'
import { CommandError } from './commandError.ts'
import { createReceiptKeySettings } from './receiptKeys.ts'

const create = (present: string | undefined, year: number) =>
  parseEnv(createReceiptKeySettings({ VITE_RECEIPT_KEYS: present }, Date.UTC(year, 5)).slice(1).join('\n'))

test('a new pair of keys is valid, and keeps the old public keys', () => {
  const first = create(undefined, 2026)
  const second = create(first.VITE_RECEIPT_KEYS, 2027)
  const settings = {
    ...createSandbox({ origin: () => 'http://localhost:5173' }).functionSettings(),
    ...second,
  }
  const { receipts } = readFunctionSettings(settings)
  const old = v.parse(receiptKeysSchema, first.VITE_RECEIPT_KEYS)[0]?.encoded
  expect(receipts?.keys).toMatchObject([
    { encoded: old, from: 2026, until: 2028 },
    { from: 2027, until: null },
  ])
})

test('a new pair of keys never drops keys that are not valid', () => {
  expect(() => create('key', 2026)).toThrow(CommandError)
})

test('a new pair of keys leaves out the sandbox’s key', () => {
  const sandbox = createSandbox({ origin: () => 'http://localhost:5173' }).functionSettings()
  expect(create(sandbox.VITE_RECEIPT_KEYS, 2026).VITE_RECEIPT_KEYS).toMatch(/^[\w-]{43}@2026$/)
})
