import { expect, test } from 'vitest'
import { createSandbox } from '../../../sandbox/sandbox.ts'
import { createContext } from './context.ts'
import type { LogEntry } from './log.ts'
import { readSettings } from './settings.ts'

test('a pseudonym depends on the key without its line breaks', () => {
  const variables = createSandbox({ origin: () => 'http://localhost:5173' }).functionSettings()
  const account = JSON.parse(variables.FIREBASE_SERVICE_ACCOUNT ?? '')
  const pseudonymWith = (private_key: string) =>
    createContext(
      readSettings({ ...variables, FIREBASE_SERVICE_ACCOUNT: JSON.stringify({ ...account, private_key }) }),
    ).pseudonym('ada')
  const written = pseudonymWith(account.private_key)
  expect(written).toMatch(/^[0-9a-f]{64}$/)
  const key: string = account.private_key
  for (const other of [key.replaceAll('\n', '\r\n'), key.trim(), `${key}\n\n`])
    expect(pseudonymWith(other)).toBe(written)
  const { private_key: another } = JSON.parse(
    createSandbox({ origin: () => 'http://localhost:5173' }).functionSettings().FIREBASE_SERVICE_ACCOUNT ??
      '',
  )
  expect(pseudonymWith(another)).not.toBe(written)
})

test('keys of receipts that are not valid are logged, and the functions work', () => {
  const variables = createSandbox({ origin: () => 'http://localhost:5173' }).functionSettings()
  const entries: LogEntry[] = []
  const settings = readSettings({ ...variables, RECEIPT_SIGNING_KEY: 'key' })
  const { receipts } = createContext(settings, { log: (entry) => entries.push(entry) })
  expect([receipts, entries]).toEqual([
    null,
    [
      {
        level: 'error',
        event: 'receiptsNotSigned',
        problems: [expect.stringMatching(/^RECEIPT_SIGNING_KEY/)],
      },
    ],
  ])
})
