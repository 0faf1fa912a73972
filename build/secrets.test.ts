import { generateKeyPairSync } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { findSecrets, SECRET_SETTINGS } from './secrets.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'passerelle-secrets-'))
  mkdirSync(join(folder, 'assets'))
})
afterEach(() => rmSync(folder, { recursive: true }))

const write = (text: string) => writeFileSync(join(folder, 'assets', 'index.js'), text)

test.each(SECRET_SETTINGS)('findSecrets finds the value of %s in the build', (name) => {
  write('const key="a-secret-value"')
  expect(findSecrets([folder], { [name]: 'a-secret-value' })).toEqual([`${name} in assets/index.js`])
  expect(findSecrets([folder], { [name]: 'another-value' })).toEqual([])
})

test('findSecrets finds the key of a service account in any format', () => {
  const private_key = generateKeyPairSync('rsa', { modulusLength: 2048 })
    .privateKey.export({ type: 'pkcs8', format: 'pem' })
    .toString()
  const variables = { FIREBASE_SERVICE_ACCOUNT: JSON.stringify({ client_email: 'a@b', private_key }) }
  for (const text of [private_key, JSON.stringify({ private_key }), private_key.replaceAll('\n', '')]) {
    write(text)
    expect(findSecrets([folder], variables)).toEqual(['FIREBASE_SERVICE_ACCOUNT in assets/index.js'])
  }
  write('PRIVATE KEY')
  expect(findSecrets([folder], variables)).toEqual([])
})

test('findSecrets ignores settings of the browser, and empty or short values', () => {
  write('pk_live_1 1234567')
  expect(
    findSecrets([folder], {
      VITE_STRIPE_PUBLISHABLE_KEY: 'pk_live_1',
      MTN_API_KEY: '1234567',
      MTN_API_USER: '',
    }),
  ).toEqual([])
  write('12345678')
  expect(findSecrets([folder], { MTN_API_KEY: '12345678' })).toEqual(['MTN_API_KEY in assets/index.js'])
})
