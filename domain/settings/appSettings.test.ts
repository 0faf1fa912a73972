import { expect, test } from 'vitest'
import { listEmulatorSettings, listSettingProblems } from './appSettings.ts'

const GOOD = {
  VITE_FIREBASE_PROJECT_ID: 'demo-passerelle',
  VITE_FIREBASE_API_KEY: 'key',
  VITE_FIREBASE_AUTH_DOMAIN: 'demo.firebaseapp.com',
  VITE_FIREBASE_STORAGE_BUCKET: 'demo.firebasestorage.app',
  VITE_STRIPE_PUBLISHABLE_KEY: 'pk_test_123',
  VITE_SUPPORT_PHONE: '+33123456789',
  VITE_SUPPORT_EMAIL: 'aide@passerelle.example',
  VITE_SUPPORT_CHAT_URL: 'https://chat.passerelle.example/',
  VITE_OPERATOR_NAME: 'Passerelle Paiements SA',
  VITE_OPERATOR_LICENCE: 'établissement de paiement n° 12345',
  VITE_OPERATOR_SUPERVISOR: 'ACPR',
  VITE_OPERATOR_ADDRESS: '1 rue de l’Exemple, 75000 Paris',
  VITE_COMPLAINTS_EMAIL: 'reclamations@passerelle.example',
}

const OPTIONAL = {
  VITE_SUPPORT_CHAT_URL: 'self',
  VITE_VAPID_PUBLIC_KEY: `B${'a'.repeat(86)}`,
  VITE_HOLDER_NAMES: 'on',
  VITE_RECIPIENT_NAME_REQUIRED: 'on',
  VITE_IDENTITY_REQUIRED_FROM: '250',
  VITE_WALLET_TARIFFS: '{"mtn_money":{"since":"2026-11-01","limit":4000000}}',
  VITE_RECEIPT_KEYS: `${'A'.repeat(43)}@2026`,
  VITE_MTN_LONGEST_MINUTES: '15',
  VITE_BY_HAND_LONGEST_MINUTES: '',
}

test.each([GOOD, { ...GOOD, ...OPTIONAL }])('the app accepts the settings %o', (variables) => {
  expect(listSettingProblems(variables)).toEqual([])
})

test.each([
  ['VITE_FIREBASE_PROJECT_ID', 'Demo'],
  ['VITE_FIREBASE_API_KEY', 'a key'],
  ['VITE_FIREBASE_AUTH_DOMAIN', 'https://demo.firebaseapp.com'],
  ['VITE_FIREBASE_STORAGE_BUCKET', 'gs://demo.firebasestorage.app'],
  ['VITE_STRIPE_PUBLISHABLE_KEY', 'sk_test_123'],
  ['VITE_SUPPORT_PHONE', '01 23 45 67 89'],
  ['VITE_SUPPORT_EMAIL', 'aide'],
  ['VITE_SUPPORT_CHAT_URL', 'javascript:0'],
  ['VITE_OPERATOR_NAME', ' '],
  ['VITE_VAPID_PUBLIC_KEY', 'a key'],
  ['VITE_HOLDER_NAMES', 'true'],
  ['VITE_RECIPIENT_NAME_REQUIRED', 'yes'],
  ['VITE_IDENTITY_REQUIRED_FROM', '1000'],
  ['VITE_WALLET_TARIFFS', '{"mtn":{"since":"2026-11-01","limit":4000000}}'],
  ['VITE_RECEIPT_KEYS', 'A'.repeat(43)],
  ['VITE_MTN_LONGEST_MINUTES', '15 min'],
])('the app refuses the setting %s with the value %s', (name, value) => {
  expect(listSettingProblems({ ...GOOD, [name]: value })).toEqual([
    expect.stringMatching(new RegExp(`^${name}\\b.* must `)),
  ])
})

test('the app names each missing setting', () => {
  expect(listSettingProblems({})).toEqual(Object.keys(GOOD).map((name) => `${name} is missing`))
  expect(listSettingProblems({ ...GOOD, VITE_FIREBASE_API_KEY: '' })).toEqual([
    'VITE_FIREBASE_API_KEY is missing',
  ])
})

test.each([
  [GOOD, []],
  [{ ...GOOD, VITE_STRIPE_API_BASE: '' }, []],
  [
    { ...GOOD, VITE_STRIPE_API_BASE: 'self', VITE_FIRESTORE_EMULATOR_HOST: 'localhost:8080' },
    ['VITE_FIRESTORE_EMULATOR_HOST', 'VITE_STRIPE_API_BASE'],
  ],
])('listEmulatorSettings lists the settings of emulators in %o', (env, names) => {
  expect(listEmulatorSettings(env)).toEqual(names)
})
