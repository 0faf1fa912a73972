import { expect, test } from 'vitest'
import { checkSettings, listEmulatorSettings } from './checkSettings.ts'

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
  [
    {
      ...GOOD,
      VITE_SUPPORT_PHONE: '01 23 45 67 89',
      VITE_SUPPORT_EMAIL: 'aide',
      VITE_SUPPORT_CHAT_URL: 'javascript:0',
    },
    ['VITE_SUPPORT_PHONE', 'VITE_SUPPORT_EMAIL', 'VITE_SUPPORT_CHAT_URL'].map((setting) => ({
      setting,
      kind: 'malformed',
    })),
  ],
  [{ ...GOOD, VITE_SUPPORT_CHAT_URL: 'self' }, []],
  [{ ...GOOD, VITE_VAPID_PUBLIC_KEY: `B${'a'.repeat(86)}` }, []],
  [{ ...GOOD, VITE_VAPID_PUBLIC_KEY: 'a key' }, [{ setting: 'VITE_VAPID_PUBLIC_KEY', kind: 'malformed' }]],
  [{ ...GOOD, VITE_HOLDER_NAMES: 'on', VITE_RECIPIENT_NAME_REQUIRED: 'on' }, []],
  [
    { ...GOOD, VITE_RECIPIENT_NAME_REQUIRED: 'yes' },
    [{ setting: 'VITE_RECIPIENT_NAME_REQUIRED', kind: 'malformed' }],
  ],
  [{ ...GOOD, VITE_IDENTITY_REQUIRED_FROM: '250' }, []],
  [
    { ...GOOD, VITE_IDENTITY_REQUIRED_FROM: '1000' },
    [{ setting: 'VITE_IDENTITY_REQUIRED_FROM', kind: 'malformed' }],
  ],
  [{ ...GOOD, VITE_WALLET_TARIFFS: '{"mtn_money":{"since":"2026-11-01","limit":4000000}}' }, []],
  [
    { ...GOOD, VITE_WALLET_TARIFFS: '{"mtn":{"since":"2026-11-01","limit":4000000}}' },
    [{ setting: 'VITE_WALLET_TARIFFS', kind: 'malformed' }],
  ],
  [{ ...GOOD, VITE_HOLDER_NAMES: 'true' }, [{ setting: 'VITE_HOLDER_NAMES', kind: 'malformed' }]],
  [{ ...GOOD, VITE_MTN_LONGEST_MINUTES: '15', VITE_BY_HAND_LONGEST_MINUTES: '' }, []],
  [
    { ...GOOD, VITE_MTN_LONGEST_MINUTES: '15 min' },
    [{ setting: 'VITE_MTN_LONGEST_MINUTES', kind: 'malformed' }],
  ],
  [{}, Object.keys(GOOD).map((setting) => ({ setting, kind: 'missing' }))],
])('checkSettings lists the problems of the settings %o', (env, problems) => {
  expect(checkSettings(env)).toEqual(problems)
})

test.each([
  [GOOD, []],
  [{ ...GOOD, VITE_STRIPE_API_BASE: '' }, []],
  [
    { ...GOOD, VITE_STRIPE_API_BASE: 'self', VITE_FIRESTORE_EMULATOR_HOST: 'localhost:8080' },
    ['VITE_STRIPE_API_BASE', 'VITE_FIRESTORE_EMULATOR_HOST'],
  ],
])('listEmulatorSettings lists the settings of emulators in %o', (env, names) => {
  expect(listEmulatorSettings(env)).toEqual(names)
})
