import { expect, test } from 'vitest'
import { createSandbox } from '../../../sandbox/sandbox.ts'
import { checkFunctionSettings } from './settings.ts'

test('the doctor reports a signing key of receipts that is not valid', () => {
  const variables = createSandbox({ origin: () => 'http://localhost:5173' }).functionSettings()
  const { settings, findings } = checkFunctionSettings({ ...variables, RECEIPT_SIGNING_KEY: 'key' }, false)
  expect(settings?.receipts).toBe(null)
  expect(findings[0]).toEqual({
    verdict: 'bad',
    said: "RECEIPT_SIGNING_KEY must be a private key, as 'npm run ops -- keys' prints it.",
    remedy: 'Receipts have no code until then. Correct the setting: docs/deploying.md, Settings.',
  })
})
