import { expect, test } from 'vitest'
import { checkSettings } from './checkSettings.ts'

const GOOD = {
  VITE_FIREBASE_PROJECT_ID: 'demo-passerelle',
  VITE_FIREBASE_API_KEY: 'key',
  VITE_FIREBASE_AUTH_DOMAIN: 'demo.firebaseapp.com',
  VITE_FIREBASE_STORAGE_BUCKET: 'demo.firebasestorage.app',
  VITE_STRIPE_PUBLISHABLE_KEY: 'pk_test_123',
}

test.each([
  [GOOD, []],
  [
    { ...GOOD, VITE_FIREBASE_STORAGE_BUCKET: 'gs://demo.firebasestorage.app' },
    [{ setting: 'VITE_FIREBASE_STORAGE_BUCKET', kind: 'malformed' }],
  ],
  [
    { ...GOOD, VITE_FIREBASE_API_KEY: '', VITE_STRIPE_PUBLISHABLE_KEY: 'sk_test_123' },
    [
      { setting: 'VITE_FIREBASE_API_KEY', kind: 'missing' },
      { setting: 'VITE_STRIPE_PUBLISHABLE_KEY', kind: 'malformed' },
    ],
  ],
  [{}, Object.keys(GOOD).map((setting) => ({ setting, kind: 'missing' }))],
])('%o', (env, problems) => {
  expect(checkSettings(env)).toEqual(problems)
})
