import { generateKeyPairSync } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import webPush from 'web-push'
import { DAY } from '../../../domain/common/duration.ts'
import { createSandbox } from '../../../sandbox/sandbox.ts'
import { SettingsError } from '../platform/settings.ts'
import { readFunctionSettings } from './settings.ts'

const PRIVATE_KEY = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  .privateKey.export({ type: 'pkcs8', format: 'pem' })
  .toString()

const createReceiptKey = () => {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  return {
    signingKey: privateKey.export({ type: 'pkcs8', format: 'der' }).toString('base64url'),
    publicKey: publicKey.export({ format: 'jwk' }).x ?? '',
  }
}
const RECEIPT_KEY = createReceiptKey()

const hosted = {
  FIREBASE_PROJECT_ID: 'passerelle',
  FIREBASE_SERVICE_ACCOUNT: JSON.stringify({
    type: 'service_account',
    client_email: 'functions@passerelle.iam.gserviceaccount.com',
    private_key: PRIVATE_KEY,
  }),
  FIREBASE_STORAGE_BUCKET: 'passerelle.firebasestorage.app',
  STRIPE_SECRET_KEY: 'sk_live_1',
  STRIPE_WEBHOOK_SECRET: 'whsec_1',
  RECEIPT_SIGNING_KEY: RECEIPT_KEY.signingKey,
  VITE_RECEIPT_KEYS: `${RECEIPT_KEY.publicKey}@2026`,
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
  CLOUD_TASKS_API_BASE: 'http://localhost:5173',
}

const readProblems = (variables: Record<string, string | undefined>): readonly string[] => {
  try {
    readFunctionSettings(variables)
    return []
  } catch (error) {
    if (error instanceof SettingsError) return error.problems
    throw error
  }
}

describe('settings', () => {
  test('settings default to the URLs of the hosted services', () => {
    expect(
      readFunctionSettings({
        ...hosted,
        CONTEXT: 'production',
        AWS_REGION: 'eu-central-1',
        VITE_STRIPE_PUBLISHABLE_KEY: 'pk_live_1',
      }),
    ).toEqual({
      projectId: 'passerelle',
      serviceAccount: {
        client_email: 'functions@passerelle.iam.gserviceaccount.com',
        private_key: PRIVATE_KEY,
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
      site: null,
      deliveries: {
        ...{ providers: [], mtn: null, namesHolders: false, cancellationWindow: 60_000 },
        screening: null,
      },
      isRecipientNameRequired: false,
      identityLimitCents: null,
      walletTariffs: {},
      referenceRate: null,
      isSecondPersonRequired: false,
      push: null,
      tasks: null,
      mail: null,
      receipts: {
        signingKey: expect.anything(),
        keys: [expect.objectContaining({ encoded: RECEIPT_KEY.publicKey, from: 2026, until: null })],
      },
      receiptProblems: [],
    })
  })

  test('a deployment that pays out works without keys for receipts, and says so', () => {
    const without = { ...hosted, RECEIPT_SIGNING_KEY: '', VITE_RECEIPT_KEYS: '' }
    expect(readFunctionSettings(without)).toMatchObject({ receipts: null, receiptProblems: [] })
    expect(readFunctionSettings({ ...without, DELIVERY_PROVIDERS: 'byHand' })).toMatchObject({
      receipts: null,
      receiptProblems: ['RECEIPT_SIGNING_KEY is missing', 'VITE_RECEIPT_KEYS is missing'],
    })
  })

  test.each([
    ['another key', createReceiptKey().signingKey, 'does not match the last key of VITE_RECEIPT_KEYS'],
    ['a public key', RECEIPT_KEY.publicKey, "must be a private key, as 'npm run ops -- keys' prints it"],
    ['a text', 'key', "must be a private key, as 'npm run ops -- keys' prints it"],
  ])('receipts are not signed with %s', (_, key, problem) => {
    expect(readFunctionSettings({ ...hosted, RECEIPT_SIGNING_KEY: key })).toMatchObject({
      receipts: null,
      receiptProblems: [`RECEIPT_SIGNING_KEY ${problem}`],
    })
  })

  test('the sandbox’s key signs no receipts in production', () => {
    const { RECEIPT_SIGNING_KEY, VITE_RECEIPT_KEYS } = createSandbox({
      origin: () => 'http://localhost:5173',
    }).functionSettings()
    expect(readProblems({ ...hosted, RECEIPT_SIGNING_KEY, VITE_RECEIPT_KEYS })).toEqual([
      "VITE_RECEIPT_KEYS has the sandbox's key, with which anyone can forge receipts",
    ])
  })

  describe('notification settings', () => {
    const { publicKey, privateKey } = webPush.generateVAPIDKeys()
    const push = {
      VITE_VAPID_PUBLIC_KEY: publicKey,
      VAPID_PRIVATE_KEY: privateKey,
      VAPID_SUBJECT: 'mailto:aide@passerelle.example',
    }

    test('notifications need a key pair, a contact and optionally a service', () => {
      const subject = 'mailto:aide@passerelle.example'
      const expected = { publicKey, privateKey, subject, service: null }
      expect(readFunctionSettings({ ...hosted, ...push }).push).toEqual(expected)
      const origin = 'http://localhost:5173'
      const pretended = { ...local, ...push, PUSH_SERVICE: `${origin}/` }
      expect(readFunctionSettings(pretended).push).toEqual({ ...expected, service: origin })
    })

    test.each(Object.keys(push))('refuses notification settings without %s', (name) => {
      expect(readProblems({ ...hosted, ...push, [name]: '' })).toEqual([`${name} is missing`])
    })

    test.each([
      ['VITE_VAPID_PUBLIC_KEY', 'key'],
      ['VAPID_PRIVATE_KEY', 'key'],
      ['VAPID_SUBJECT', 'aide@passerelle.example'],
      ['VAPID_SUBJECT', 'http://passerelle.example'],
      ['VAPID_SUBJECT', 'mailto:aide'],
      ['VAPID_SUBJECT', 'mailto:aide@a@passerelle.example'],
      ['VAPID_SUBJECT', 'mailto:aide@passerelle.example, b@passerelle.example'],
      ['VAPID_SUBJECT', 'mailto:aide@localhost'],
      ['VAPID_SUBJECT', 'mailto:aide@mail.localhost'],
      ['VAPID_SUBJECT', 'mailto:aide@printer.LOCAL'],
      ['VAPID_SUBJECT', 'mailto:aide@passerelle.invalid'],
      ['VAPID_SUBJECT', 'mailto:aide@[127.0.0.1]'],
      ['VAPID_SUBJECT', 'https://localhost:5173'],
      ['VAPID_SUBJECT', 'https://printer.local/contact'],
      ['VAPID_SUBJECT', 'https://passerelle.invalid'],
      ['VAPID_SUBJECT', 'https://127.0.0.1'],
      ['VAPID_SUBJECT', 'https://[::1]'],
    ])('refuses the notification setting %s with the value %s', (name, value) => {
      expect(readProblems({ ...hosted, ...push, [name]: value })).toContainEqual(
        expect.stringMatching(new RegExp(`^${name} must be`)),
      )
    })

    test.each([
      'mailto:aide@passerelle.example',
      'mailto:aide@mail.local.passerelle.gn',
      'mailto:aide@passerelle.café',
      'https://passerelle.example',
      'https://localhost.example/contact?from=push',
      'https://xn--caf-dma.africa',
    ])('accepts the contact %s in the notification settings', (subject) => {
      expect(readFunctionSettings({ ...hosted, ...push, VAPID_SUBJECT: subject }).push?.subject).toBe(subject)
    })

    test('refuses notification keys that are not a pair', () => {
      const other = webPush.generateVAPIDKeys().publicKey
      expect(readProblems({ ...hosted, ...push, VITE_VAPID_PUBLIC_KEY: other })).toEqual([
        'VAPID_PRIVATE_KEY does not match VITE_VAPID_PUBLIC_KEY',
      ])
    })
  })

  describe('mail settings', () => {
    const mail = {
      SMTP_URL: 'smtps://user:secret@smtp.example',
      VITE_MAIL_FROM: 'recus@passerelle.example',
      VITE_OPERATOR_NAME: 'Passerelle SA',
      VITE_OPERATOR_LICENCE: 'établissement 00000',
      VITE_COMPLAINTS_EMAIL: 'reclamations@passerelle.example',
    }

    test('mail settings contain the server, the sender and the operator', () => {
      expect(readFunctionSettings({ ...hosted, ...mail }).mail).toEqual({
        server: 'smtps://user:secret@smtp.example',
        from: 'recus@passerelle.example',
        operator: {
          name: 'Passerelle SA',
          licence: 'établissement 00000',
          complaints: 'reclamations@passerelle.example',
        },
      })
    })

    test.each(Object.keys(mail))('refuses mail settings without %s', (name) => {
      expect(readProblems({ ...hosted, ...mail, [name]: '' })).toEqual([`${name} is missing`])
    })

    test.each([
      ['SMTP_URL', 'https://smtp.example'],
      ['SMTP_URL', 'smtp://smtp.example'],
      ['VITE_MAIL_FROM', 'recus'],
    ])('refuses the mail setting %s with the value %s', (name, value) => {
      expect(readProblems({ ...hosted, ...mail, [name]: value })).toContainEqual(
        expect.stringMatching(new RegExp(`^${name} must be`)),
      )
    })
  })

  const queues = {
    CLOUD_TASKS_LOCATION: 'europe-west1',
    CLOUD_TASKS_HANDLER: 'https://site.example/.netlify/functions/run-task',
  }

  describe('the task queues', () => {
    test('queue settings have region, handler and the needed URLs', () => {
      const expected = {
        location: 'europe-west1',
        handler: 'https://site.example/.netlify/functions/run-task',
        api: 'https://cloudtasks.googleapis.com',
        keys: new URL('https://www.googleapis.com/oauth2/v3/certs'),
        isEmulated: false,
      }
      expect(readFunctionSettings({ ...hosted, ...queues }).tasks).toEqual(expected)
      expect(readFunctionSettings({ ...local, ...queues }).tasks).toEqual({
        ...expected,
        api: 'http://localhost:5173',
        keys: new URL('http://localhost:5173/oauth2/v3/certs'),
        isEmulated: true,
      })
    })

    test.each(Object.keys(queues))('refuses queue settings without %s', (name) => {
      expect(readProblems({ ...hosted, ...queues, [name]: '' })).toEqual([`${name} is missing`])
    })

    test.each([
      ['CLOUD_TASKS_LOCATION', 'Belgium', "must be a region, such as 'europe-west1'"],
      ['CLOUD_TASKS_HANDLER', 'http://site.example/', 'must be an https address in production'],
    ])('refuses the queue setting %s with the value %s', (name, value, problem) => {
      expect(readProblems({ ...hosted, ...queues, [name]: value })).toEqual([`${name} ${problem}`])
    })
  })

  describe('payout settings', () => {
    const mtn = {
      MTN_API_BASE: 'https://proxy.momoapi.mtn.com',
      MTN_TARGET_ENVIRONMENT: 'mtnguineaconakry',
      MTN_SUBSCRIPTION_KEY: 'key',
      MTN_API_USER: '7d3c1f5e-2f0b-4c56-9a6e-3d1c8b2a9f04',
      MTN_API_KEY: 'secret',
    }

    test('payout settings name the providers in order, each with its own settings', () => {
      expect(
        readFunctionSettings({ ...hosted, ...mtn, DELIVERY_PROVIDERS: 'mtn, byHand' }).deliveries,
      ).toEqual({
        providers: ['mtn', 'byHand'],
        mtn: {
          base: new URL('https://proxy.momoapi.mtn.com'),
          targetEnvironment: 'mtnguineaconakry',
          subscriptionKey: 'key',
          apiUser: '7d3c1f5e-2f0b-4c56-9a6e-3d1c8b2a9f04',
          apiKey: 'secret',
          callback: null,
        },
        namesHolders: false,
        cancellationWindow: 60_000,
        screening: null,
      })
      expect(
        readFunctionSettings({ ...hosted, ...mtn, DELIVERY_PROVIDERS: 'byHand' }).deliveries.mtn,
      ).toBeNull()
    })

    test('the settings allow looking up wallet holders only if VITE_HOLDER_NAMES is on', () => {
      const namesHolders = (VITE_HOLDER_NAMES: string) =>
        readFunctionSettings({ ...hosted, VITE_HOLDER_NAMES }).deliveries.namesHolders
      expect([namesHolders(''), namesHolders('on')]).toEqual([false, true])
      expect(readProblems({ ...hosted, VITE_HOLDER_NAMES: 'yes' })).toEqual([
        "VITE_HOLDER_NAMES must be 'on' or not set",
      ])
    })

    test.each([
      ['0', 0],
      ['90', 90_000],
      ['3600', 3_600_000],
    ])('a sender may cancel for %s seconds if set', (text, expected) => {
      const { deliveries } = readFunctionSettings({ ...hosted, CANCELLATION_WINDOW_SECONDS: text })
      expect(deliveries.cancellationWindow).toBe(expected)
    })

    test.each(['3601', '-1', '1.5', '1 min'])('the settings refuse %s seconds for canceling', (text) => {
      expect(readProblems({ ...hosted, CANCELLATION_WINDOW_SECONDS: text })).toEqual([
        'CANCELLATION_WINDOW_SECONDS must be a number of seconds, from 0 to 3600',
      ])
    })

    test('an approved document is required above a whole amount of EUR', () => {
      const readLimit = (VITE_IDENTITY_REQUIRED_FROM: string) =>
        readFunctionSettings({ ...hosted, VITE_IDENTITY_REQUIRED_FROM }).identityLimitCents
      expect(['', '0', '250', '999'].map(readLimit)).toEqual([null, 0, 25_000, 99_900])
      for (const VITE_IDENTITY_REQUIRED_FROM of ['off', '-1', '1000', '250.50', '0250', '250 €'])
        expect(readProblems({ ...hosted, VITE_IDENTITY_REQUIRED_FROM })).toEqual([
          'VITE_IDENTITY_REQUIRED_FROM must be a whole number of EUR, from 0 to 999',
        ])
    })

    test('the settings contain readable wallet limits and the reference rate', () => {
      const tariffs = { mtn_money: { since: '2026-11-01', limit: 4_000_000 } }
      const variables = {
        VITE_WALLET_TARIFFS: JSON.stringify(tariffs),
        REFERENCE_RATE_GNF: '10063.85@2025-08-08',
      }
      expect(readFunctionSettings({ ...hosted, ...variables })).toMatchObject({
        walletTariffs: tariffs,
        referenceRate: { gnf: 10_063.85, date: '2025-08-08' },
      })
      expect(readProblems({ ...hosted, VITE_WALLET_TARIFFS: '{' })).toEqual([
        expect.stringMatching(/^VITE_WALLET_TARIFFS must be/),
      ])
      for (const REFERENCE_RATE_GNF of ['10063.85', '10063.85@2025-02-30', '0@2025-08-08', '1e4@2025-08-08'])
        expect(readProblems({ ...hosted, REFERENCE_RATE_GNF })).toEqual([
          expect.stringMatching(/^REFERENCE_RATE_GNF must be/),
        ])
    })

    test('the settings require the recipient’s name only if VITE_RECIPIENT_NAME_REQUIRED is on', () => {
      const isRequired = (VITE_RECIPIENT_NAME_REQUIRED: string) =>
        readFunctionSettings({ ...hosted, VITE_RECIPIENT_NAME_REQUIRED }).isRecipientNameRequired
      expect([isRequired(''), isRequired('on')]).toEqual([false, true])
      expect(readProblems({ ...hosted, VITE_RECIPIENT_NAME_REQUIRED: 'yes' })).toEqual([
        "VITE_RECIPIENT_NAME_REQUIRED must be 'on' or not set",
      ])
    })

    describe('the list of sanctions', () => {
      const on = {
        ...{ ...hosted, DELIVERY_PROVIDERS: 'byHand', VITE_RECIPIENT_NAME_REQUIRED: 'on' },
        SCREENING_LIST: 'screening/targets.simple.csv',
      }

      test('the settings name the list’s file and its age', () => {
        const read = (days: string) =>
          readFunctionSettings({ ...on, SCREENING_LIST_MAX_AGE_DAYS: days }).deliveries.screening
        expect(read('')).toEqual({ path: 'screening/targets.simple.csv', maxAge: 7 * DAY })
        expect(read('2')?.maxAge).toBe(2 * DAY)
      })

      test.each<[string, Record<string, string>, string]>([
        ['a list without payouts', { DELIVERY_PROVIDERS: '' }, 'SCREENING_LIST must not be set'],
        [
          'a list without the names of recipients',
          { VITE_RECIPIENT_NAME_REQUIRED: '' },
          'VITE_RECIPIENT_NAME_REQUIRED is missing',
        ],
        ['an age without a list', { SCREENING_LIST: '' }, 'SCREENING_LIST is missing'],
        ['an age of 0 days', { SCREENING_LIST_MAX_AGE_DAYS: '0' }, 'SCREENING_LIST_MAX_AGE_DAYS must be'],
        [
          'a list that users can write',
          { SCREENING_LIST: 'identity/a/b' },
          'SCREENING_LIST must be the name',
        ],
        ['a list on a website', { SCREENING_LIST: 'https://x.org/a' }, 'SCREENING_LIST must be the name'],
      ])('the settings refuse %s', (_, change, problem) => {
        expect(readProblems({ ...on, SCREENING_LIST_MAX_AGE_DAYS: '7', ...change })).toEqual([
          expect.stringContaining(problem),
        ])
      })
    })

    describe('promised delivery times', () => {
      const [MTN, BY_HAND] = ['VITE_MTN_LONGEST_MINUTES', 'VITE_BY_HAND_LONGEST_MINUTES'] as const
      const problemsWith = (variables: Record<string, string>) =>
        readProblems({ ...hosted, ...mtn, ...variables })

      test.each([
        ['MTN alone', 'mtn,byHand', { [MTN]: '17' }],
        ['operators alone', 'byHand', { [BY_HAND]: '1440' }],
        ['operators who pay to all wallets', 'byHand,mtn', { [BY_HAND]: '1440' }],
        ['both, if operators pay to the other wallets', 'mtn', { [MTN]: '17', [BY_HAND]: '1440' }],
      ])('the settings accept a promised time for %s', (_, DELIVERY_PROVIDERS, longest) => {
        expect(problemsWith({ DELIVERY_PROVIDERS, ...longest })).toEqual([])
      })

      test.each<[string, string, string, Record<string, string>]>([
        ['the due-work job hands it over', '16', '17', {}],
        ['the due-work job hands it over later', '25', '26', { CANCELLATION_WINDOW_SECONDS: '600' }],
        ['a task hands it over', '1', '2', queues],
        ['nobody can cancel it', '0', '1', { CANCELLATION_WINDOW_SECONDS: '0' }],
      ])('MTN’s promised time includes the cancellation window if %s', (_, short, long, more) => {
        const promise = (minutes: string) =>
          problemsWith({ DELIVERY_PROVIDERS: 'mtn,byHand', [MTN]: minutes, ...more })
        expect(promise(long)).toEqual([])
        expect(promise(short)).toEqual([expect.stringMatching(`^${MTN} must be`)])
      })

      test.each<[string, string, string, Record<string, string>]>([
        ['a task hands it over', '3599', '3600', queues],
        ['the due-work job hands it over', '2699', '2700', {}],
      ])('the hour’s estimate includes the cancellation window if %s', (_, longest, long, more) => {
        const cancelableFor = (CANCELLATION_WINDOW_SECONDS: string) =>
          problemsWith({ DELIVERY_PROVIDERS: 'mtn,byHand', CANCELLATION_WINDOW_SECONDS, ...more })
        expect(cancelableFor(longest)).toEqual([])
        expect(cancelableFor(long)).toEqual([expect.stringContaining('too long for the estimate')])
      })

      test.each([
        ['a promised time for payouts that are not configured', '', { [BY_HAND]: '1440' }, [BY_HAND]],
        [
          'a promised time for MTN if only operators pay',
          'byHand',
          { [MTN]: '15', [BY_HAND]: '1440' },
          [MTN],
        ],
        ['a promised time for MTN if operators pay to its wallet', 'byHand,mtn', { [MTN]: '15' }, [MTN]],
        ['a promised time for operators alone if MTN pays too', 'mtn,byHand', { [BY_HAND]: '1440' }, [MTN]],
        ['a promised time in another unit than minutes', 'byHand', { [BY_HAND]: '1 h' }, [BY_HAND]],
        ['a promised time of 0 minutes', 'byHand', { [BY_HAND]: '0' }, [BY_HAND]],
      ])('the settings refuse %s', (_, DELIVERY_PROVIDERS, longest, named) => {
        expect(problemsWith({ DELIVERY_PROVIDERS, ...longest })).toEqual(
          named.map((name) => expect.stringMatching(`^${name} `)),
        )
      })
    })

    test('an unknown or incomplete payout provider is refused', () => {
      expect(readProblems({ ...hosted, DELIVERY_PROVIDERS: 'byHand,post' })).toEqual([
        'DELIVERY_PROVIDERS.1 must be one of mtn, byHand',
      ])
      expect(readProblems({ ...hosted, ...mtn, MTN_API_KEY: '', DELIVERY_PROVIDERS: 'mtn' })).toEqual([
        'MTN_API_KEY is missing',
      ])
    })

    test("requires https for MTN's callback in production", () => {
      const variables = { ...mtn, DELIVERY_PROVIDERS: 'mtn', MTN_CALLBACK_URL: 'http://pay.example.com/' }
      expect(readProblems({ ...hosted, ...variables })).toEqual([
        'MTN_CALLBACK_URL must be an https address in production',
      ])
      expect(readFunctionSettings({ ...local, ...variables }).deliveries.mtn?.callback).toEqual(
        new URL('http://pay.example.com/'),
      )
    })

    test.each([
      { MTN_API_BASE: 'https://sandbox.momodeveloper.mtn.com' },
      { MTN_API_BASE: 'http://localhost:5173' },
      { MTN_TARGET_ENVIRONMENT: 'sandbox' },
    ])("refuses MTN's sandbox in production: %o", (pretended) => {
      const variables = { ...mtn, ...pretended, DELIVERY_PROVIDERS: 'mtn' }
      expect(readProblems({ ...hosted, ...variables })).toEqual([
        'MTN_API_BASE and MTN_TARGET_ENVIRONMENT point to a sandbox and must not be set in production',
      ])
      expect(readProblems({ ...local, ...variables })).toEqual([])
    })
  })

  test('the settings accept an emulator for each hosted service', () => {
    expect(readFunctionSettings(local)).toMatchObject({
      stripeApiBase: new URL('http://localhost:5173'),
      firestoreHost: 'localhost:5173',
      authHost: 'localhost:5173',
      storageHost: 'localhost:5173',
      jwksUrl: new URL('http://localhost:5173/sandbox/auth/jwks'),
    })
  })

  test('the settings accept unsigned tokens only from the official emulator', () => {
    expect(readFunctionSettings({ ...local, FIREBASE_AUTH_JWKS_URL: '' }).jwksUrl).toBeNull()
    expect(readFunctionSettings({ ...hosted, FIREBASE_AUTH_EMULATOR_HOST: undefined }).jwksUrl).not.toBeNull()
  })

  test('the settings report all problems together', () => {
    expect(() =>
      readFunctionSettings({ ...hosted, FIREBASE_PROJECT_ID: '', STRIPE_WEBHOOK_SECRET: 'x' }),
    ).toThrow(
      'The settings of the functions are not valid:\n- FIREBASE_PROJECT_ID is missing\n- STRIPE_WEBHOOK_SECRET must start with whsec_',
    )
    expect(
      readProblems({
        FIREBASE_SERVICE_ACCOUNT: '{',
        STRIPE_SECRET_KEY: 'pk_test_1',
        STRIPE_WEBHOOK_SECRET: 'secret',
        FIRESTORE_EMULATOR_HOST: 'http://localhost:8080',
        STRIPE_API_BASE: 'localhost',
      }),
    ).toEqual([
      'FIREBASE_PROJECT_ID is missing',
      'FIREBASE_STORAGE_BUCKET is missing',
      'FIREBASE_SERVICE_ACCOUNT must be the JSON key of a service account',
      'STRIPE_SECRET_KEY must start with sk_test_ or sk_live_',
      'STRIPE_WEBHOOK_SECRET must start with whsec_',
      'FIRESTORE_EMULATOR_HOST must be host:port, without http://',
      'STRIPE_API_BASE must be an http or https address',
    ])
    const unusable = PRIVATE_KEY.replace(/[A-Za-z]{4}/, 'AAAA').replaceAll('\n', '\\n')
    for (const private_key of [unusable, '-----BEGIN PRIVATE KEY-----\nMII\n-----END PRIVATE KEY-----\n'])
      expect(
        readProblems({
          ...hosted,
          FIREBASE_SERVICE_ACCOUNT: JSON.stringify({ client_email: 'a@b', private_key }),
        }),
      ).toEqual(['FIREBASE_SERVICE_ACCOUNT.private_key must be a private key in PEM form'])
    expect(readProblems({ ...hosted, FIREBASE_SERVICE_ACCOUNT: '{"private_key":"x"}' })).toEqual([
      'FIREBASE_SERVICE_ACCOUNT.client_email is missing',
      'FIREBASE_SERVICE_ACCOUNT.private_key must be a private key in PEM form',
    ])
  })

  const emulators = [
    'FIRESTORE_EMULATOR_HOST',
    'FIREBASE_AUTH_EMULATOR_HOST',
    'FIREBASE_STORAGE_EMULATOR_HOST',
    'FIREBASE_AUTH_JWKS_URL',
    'STRIPE_API_BASE',
    'PUSH_SERVICE',
    'CLOUD_TASKS_API_BASE',
  ]
  const refusedInProduction = emulators.map(
    (name) => `${name} points to an emulator or a sandbox and must not be set in production`,
  )

  test.each([{ NETLIFY: 'true' }, { AWS_LAMBDA_FUNCTION_NAME: 'due-work' }])(
    'the settings of a host name the origin of the app: %o',
    (host) => {
      const missing = ['URL must be the https address of the app, as Netlify sets it']
      expect(readProblems({ ...hosted, ...host })).toEqual(missing)
      expect(readProblems({ ...hosted, ...host, URL: 'http://app.example' })).toEqual(missing)
      expect(readFunctionSettings({ ...hosted, ...host, URL: 'https://app.example/' }).site).toBe(
        'https://app.example',
      )
      expect(readProblems({ ...local, ...host, NETLIFY_DEV: 'true' })).toEqual([])
    },
  )

  test.each([
    ['the deploy context is production', { CONTEXT: 'production' }],
    ['the functions run at Netlify', { NETLIFY: 'true', URL: 'https://app.example' }],
    ['the process runs in AWS Lambda', { AWS_LAMBDA_FUNCTION_NAME: 'due-work', URL: 'https://app.example' }],
    ['the Stripe key is live', { STRIPE_SECRET_KEY: 'sk_live_1' }],
  ])('the settings refuse every emulator if %s', (_, mark) => {
    expect(readProblems({ ...local, ...mark })).toEqual(expect.arrayContaining(refusedInProduction))
    expect(readProblems({ ...local, ...mark })).toHaveLength(emulators.length)
    for (const name of emulators)
      expect(readProblems({ ...hosted, ...mark, [name]: local[name as keyof typeof local] })).toHaveLength(1)
  })

  test("the settings accept emulators in the host's own development server", () => {
    expect(readProblems({ ...local, NETLIFY: 'true', NETLIFY_DEV: 'true' })).toEqual([])
  })

  test.each([
    ['sk_live_1', 'pk_test_1'],
    ['sk_test_1', 'pk_live_1'],
  ])('the keys %s and %s, only one live, are refused', (secret, publishable) => {
    expect(
      readProblems({ ...hosted, STRIPE_SECRET_KEY: secret, VITE_STRIPE_PUBLISHABLE_KEY: publishable }),
    ).toEqual([
      'STRIPE_SECRET_KEY and VITE_STRIPE_PUBLISHABLE_KEY must both be test keys or both be live keys',
    ])
  })
})
