import { describe, expect, test } from 'vitest'
import webPush from 'web-push'
import { readSettings, SettingsError } from './settings.ts'

const hosted = {
  FIREBASE_PROJECT_ID: 'passerelle',
  FIREBASE_SERVICE_ACCOUNT: JSON.stringify({
    type: 'service_account',
    client_email: 'functions@passerelle.iam.gserviceaccount.com',
    private_key: '-----BEGIN PRIVATE KEY-----\nMII\n-----END PRIVATE KEY-----\n',
  }),
  FIREBASE_STORAGE_BUCKET: 'passerelle.firebasestorage.app',
  STRIPE_SECRET_KEY: 'sk_live_1',
  STRIPE_WEBHOOK_SECRET: 'whsec_1',
}

const local = {
  ...hosted,
  STRIPE_SECRET_KEY: 'sk_test_1',
  FIRESTORE_EMULATOR_HOST: 'localhost:5173',
  FIREBASE_AUTH_EMULATOR_HOST: 'localhost:5173',
  FIREBASE_STORAGE_EMULATOR_HOST: 'localhost:5173',
  FIREBASE_AUTH_JWKS_URL: 'http://localhost:5173/sandbox/auth/jwks',
  STRIPE_API_BASE: 'http://localhost:5173',
  PUSH_SERVICE: 'http://localhost:5173',
}

const problemsOf = (variables: Record<string, string | undefined>): readonly string[] => {
  try {
    readSettings(variables)
    return []
  } catch (error) {
    if (error instanceof SettingsError) return error.problems
    throw error
  }
}

describe('settings', () => {
  test('of the hosted services: the official addresses', () => {
    expect(
      readSettings({
        ...hosted,
        CONTEXT: 'production',
        AWS_REGION: 'eu-central-1',
        VITE_STRIPE_PUBLISHABLE_KEY: 'pk_live_1',
      }),
    ).toEqual({
      projectId: 'passerelle',
      serviceAccount: {
        client_email: 'functions@passerelle.iam.gserviceaccount.com',
        private_key: '-----BEGIN PRIVATE KEY-----\nMII\n-----END PRIVATE KEY-----\n',
      },
      stripeSecretKey: 'sk_live_1',
      stripeWebhookSecret: 'whsec_1',
      stripeApiBase: null,
      firestoreHost: null,
      authHost: null,
      storageBucket: 'passerelle.firebasestorage.app',
      storageHost: null,
      jwksUrl: new URL(
        'https://www.googleapis.com/service_accounts/v1/jwk/securetoken@system.gserviceaccount.com',
      ),
      region: 'eu-central-1',
      deliveries: { providers: [], mtn: null, longest: { mtn: null, byHand: null }, namesHolders: false },
      push: null,
    })
  })

  describe('of messages to devices', () => {
    const { publicKey, privateKey } = webPush.generateVAPIDKeys()
    const push = {
      VITE_VAPID_PUBLIC_KEY: publicKey,
      VAPID_PRIVATE_KEY: privateKey,
      VAPID_SUBJECT: 'mailto:aide@passerelle.example',
    }

    test('are a pair of keys and whom to turn to', () => {
      const subject = 'mailto:aide@passerelle.example'
      const expected = { publicKey, privateKey, subject, service: null }
      expect(readSettings({ ...hosted, ...push }).push).toEqual(expected)
      const origin = 'http://localhost:5173'
      const pretended = { ...local, ...push, PUSH_SERVICE: `${origin}/` }
      expect(readSettings(pretended).push).toEqual({ ...expected, service: origin })
    })

    test.each(Object.keys(push))('are all there or none: %s', (name) => {
      expect(problemsOf({ ...hosted, ...push, [name]: '' })).toEqual([`${name} is missing`])
    })

    test.each([
      ['VITE_VAPID_PUBLIC_KEY', 'key'],
      ['VAPID_PRIVATE_KEY', 'key'],
      ['VAPID_SUBJECT', 'aide@passerelle.example'],
      ['VAPID_SUBJECT', 'http://passerelle.example'],
    ])('are well formed: %s is not %s', (name, value) => {
      expect(problemsOf({ ...hosted, ...push, [name]: value })).toContainEqual(
        expect.stringMatching(new RegExp(`^${name} must be`)),
      )
    })

    test('are of one pair: the app is built with the public key', () => {
      const other = webPush.generateVAPIDKeys().publicKey
      expect(problemsOf({ ...hosted, ...push, VITE_VAPID_PUBLIC_KEY: other })).toEqual([
        'VAPID_PRIVATE_KEY is not of the pair of VITE_VAPID_PUBLIC_KEY',
      ])
    })
  })

  describe('of who pays out', () => {
    const mtn = {
      MTN_API_BASE: 'https://proxy.momoapi.mtn.com',
      MTN_TARGET_ENVIRONMENT: 'mtnguineaconakry',
      MTN_SUBSCRIPTION_KEY: 'key',
      MTN_API_USER: '7d3c1f5e-2f0b-4c56-9a6e-3d1c8b2a9f04',
      MTN_API_KEY: 'secret',
    }

    test('name providers in their order, each with its own settings', () => {
      expect(readSettings({ ...hosted, ...mtn, DELIVERY_PROVIDERS: 'mtn, byHand' }).deliveries).toEqual({
        providers: ['mtn', 'byHand'],
        mtn: {
          base: new URL('https://proxy.momoapi.mtn.com'),
          targetEnvironment: 'mtnguineaconakry',
          subscriptionKey: 'key',
          apiUser: '7d3c1f5e-2f0b-4c56-9a6e-3d1c8b2a9f04',
          apiKey: 'secret',
          callback: null,
        },
        longest: { mtn: null, byHand: null },
        namesHolders: false,
      })
      expect(readSettings({ ...hosted, ...mtn, DELIVERY_PROVIDERS: 'byHand' }).deliveries.mtn).toBeNull()
    })

    test('let nobody ask whose wallet a number is, unless an operator wants that', () => {
      const namesHolders = (VITE_HOLDER_NAMES: string) =>
        readSettings({ ...hosted, VITE_HOLDER_NAMES }).deliveries.namesHolders
      expect([namesHolders(''), namesHolders('on')]).toEqual([false, true])
      expect(problemsOf({ ...hosted, VITE_HOLDER_NAMES: 'yes' })).toEqual([
        "VITE_HOLDER_NAMES must be 'on', or left out",
      ])
    })

    describe('say how long they may take', () => {
      const [MTN, BY_HAND] = ['VITE_MTN_LONGEST_MINUTES', 'VITE_BY_HAND_LONGEST_MINUTES'] as const
      const problemsWith = (variables: Record<string, string>) =>
        problemsOf({ ...hosted, ...mtn, ...variables })

      test('in minutes', () => {
        const variables = { DELIVERY_PROVIDERS: 'mtn,byHand', [MTN]: '15', [BY_HAND]: '1440' }
        const { longest } = readSettings({ ...hosted, ...mtn, ...variables }).deliveries
        expect(longest).toEqual({ mtn: 15, byHand: 1440 })
      })

      test.each([
        ['MTN alone', 'mtn,byHand', { [MTN]: '15' }],
        ['people alone', 'byHand', { [BY_HAND]: '1440' }],
        ['people, where they pay to all wallets', 'byHand,mtn', { [BY_HAND]: '1440' }],
        ['people, whom MTN leaves the other wallets', 'mtn', { [MTN]: '15', [BY_HAND]: '1440' }],
      ])('%s', (_, DELIVERY_PROVIDERS, longest) => {
        expect(problemsWith({ DELIVERY_PROVIDERS, ...longest })).toEqual([])
      })

      test.each([
        ['what nobody does', '', { [BY_HAND]: '1440' }, [BY_HAND]],
        ['what MTN does not do', 'byHand', { [MTN]: '15', [BY_HAND]: '1440' }, [MTN]],
        ['what people do in the place of MTN', 'byHand,mtn', { [MTN]: '15' }, [MTN]],
        ['of MTN what people do', 'mtn,byHand', { [BY_HAND]: '1440' }, [MTN]],
        ['an hour in words', 'byHand', { [BY_HAND]: '1 h' }, [BY_HAND]],
        ['no time at all', 'byHand', { [BY_HAND]: '0' }, [BY_HAND]],
      ])('and never promise %s', (_, DELIVERY_PROVIDERS, longest, named) => {
        expect(problemsWith({ DELIVERY_PROVIDERS, ...longest })).toEqual(
          named.map((name) => expect.stringMatching(`^${name} `)),
        )
      })
    })

    test('are refused where one is missing, or unknown', () => {
      expect(problemsOf({ ...hosted, DELIVERY_PROVIDERS: 'byHand,post' })).toEqual([
        expect.stringContaining('DELIVERY_PROVIDERS'),
      ])
      expect(problemsOf({ ...hosted, ...mtn, MTN_API_KEY: '', DELIVERY_PROVIDERS: 'mtn' })).toEqual([
        'MTN_API_KEY is missing',
      ])
    })

    test('let MTN call by https alone in production', () => {
      const variables = { ...mtn, DELIVERY_PROVIDERS: 'mtn', MTN_CALLBACK_URL: 'http://pay.example.com/' }
      expect(problemsOf({ ...hosted, ...variables })).toEqual([
        'MTN_CALLBACK_URL must be an https address in production',
      ])
      expect(readSettings({ ...local, ...variables }).deliveries.mtn?.callback).toEqual(
        new URL('http://pay.example.com/'),
      )
    })

    test.each([
      { MTN_API_BASE: 'https://sandbox.momodeveloper.mtn.com' },
      { MTN_API_BASE: 'http://localhost:5173' },
      { MTN_TARGET_ENVIRONMENT: 'sandbox' },
    ])('never point to a sandbox in production: %o', (pretended) => {
      const variables = { ...mtn, ...pretended, DELIVERY_PROVIDERS: 'mtn' }
      expect(problemsOf({ ...hosted, ...variables })).toEqual([
        'MTN_API_BASE and MTN_TARGET_ENVIRONMENT point to a sandbox and must not be set in production',
      ])
      expect(problemsOf({ ...local, ...variables })).toEqual([])
    })
  })

  test('of stand-ins: each by its own setting', () => {
    expect(readSettings(local)).toMatchObject({
      stripeApiBase: new URL('http://localhost:5173'),
      firestoreHost: 'localhost:5173',
      authHost: 'localhost:5173',
      storageHost: 'localhost:5173',
      jwksUrl: new URL('http://localhost:5173/sandbox/auth/jwks'),
    })
  })

  test('unsigned tokens are for the official emulator only', () => {
    expect(readSettings({ ...local, FIREBASE_AUTH_JWKS_URL: '' }).jwksUrl).toBeNull()
    expect(readSettings({ ...hosted, FIREBASE_AUTH_EMULATOR_HOST: undefined }).jwksUrl).not.toBeNull()
  })

  test('every problem is named at once', () => {
    expect(() => readSettings({ ...hosted, FIREBASE_PROJECT_ID: '', STRIPE_WEBHOOK_SECRET: 'x' })).toThrow(
      'The settings of the functions are not usable:\n- FIREBASE_PROJECT_ID is missing\n- STRIPE_WEBHOOK_SECRET must start with whsec_',
    )
    expect(
      problemsOf({
        FIREBASE_SERVICE_ACCOUNT: '{',
        STRIPE_SECRET_KEY: 'pk_test_1',
        STRIPE_WEBHOOK_SECRET: 'secret',
        FIRESTORE_EMULATOR_HOST: 'http://localhost:8080',
        STRIPE_API_BASE: 'localhost',
      }),
    ).toEqual([
      'FIREBASE_PROJECT_ID is missing',
      'FIREBASE_STORAGE_BUCKET is missing',
      'FIREBASE_SERVICE_ACCOUNT must be the JSON text of a service account',
      'STRIPE_SECRET_KEY must start with sk_test_ or sk_live_',
      'STRIPE_WEBHOOK_SECRET must start with whsec_',
      'FIRESTORE_EMULATOR_HOST must be host:port, without http://',
      'STRIPE_API_BASE must be an http or https address',
    ])
    expect(
      problemsOf({ ...hosted, FIREBASE_SERVICE_ACCOUNT: '{"client_email":"a@b.c","private_key":"x"}' }),
    ).toEqual(['FIREBASE_SERVICE_ACCOUNT.private_key must be a private key in PEM form'])
  })

  const emulators = [
    'FIRESTORE_EMULATOR_HOST',
    'FIREBASE_AUTH_EMULATOR_HOST',
    'FIREBASE_STORAGE_EMULATOR_HOST',
    'FIREBASE_AUTH_JWKS_URL',
    'STRIPE_API_BASE',
    'PUSH_SERVICE',
  ]
  const refusedInProduction = emulators.map(
    (name) => `${name} points to an emulator or a sandbox and must not be set in production`,
  )

  test.each([
    ['a production deploy', { CONTEXT: 'production' }],
    ['the host of the functions', { NETLIFY: 'true' }],
    ['the machine behind it', { AWS_LAMBDA_FUNCTION_NAME: 'sweep' }],
    ['a live key', { STRIPE_SECRET_KEY: 'sk_live_1' }],
  ])('%s refuses every stand-in', (_, mark) => {
    expect(problemsOf({ ...local, ...mark })).toEqual(expect.arrayContaining(refusedInProduction))
    expect(problemsOf({ ...local, ...mark })).toHaveLength(emulators.length)
    for (const name of emulators)
      expect(problemsOf({ ...hosted, ...mark, [name]: local[name as keyof typeof local] })).toHaveLength(1)
  })

  test("the host's own development server may use stand-ins", () => {
    expect(problemsOf({ ...local, NETLIFY: 'true', NETLIFY_DEV: 'true' })).toEqual([])
  })

  test.each([
    ['sk_live_1', 'pk_test_1'],
    ['sk_test_1', 'pk_live_1'],
  ])('%s and %s are of two modes', (secret, publishable) => {
    expect(
      problemsOf({ ...hosted, STRIPE_SECRET_KEY: secret, VITE_STRIPE_PUBLISHABLE_KEY: publishable }),
    ).toEqual([
      'STRIPE_SECRET_KEY and VITE_STRIPE_PUBLISHABLE_KEY must both be test keys or both be live keys',
    ])
  })
})
