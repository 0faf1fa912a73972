import { readFileSync } from 'node:fs'
import { parseEnv } from 'node:util'
import { Hono } from 'hono'
import type Stripe from 'stripe'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { HOUR } from '../../../domain/duration.ts'
import { createPaymentIntent } from '../../../netlify/server/endpoints/createPaymentIntent.ts'
import { recordTransfer } from '../../../netlify/server/endpoints/recordTransfer.ts'
import { WEBHOOK_EVENTS } from '../../../netlify/server/operations/events.ts'
import { close } from '../../../netlify/server/platform/closing.ts'
import { createWorld, requestOf, type World } from '../../../netlify/testing/world.ts'
import { headersFor, parseHeaders, withSandboxHosts } from '../../../sandbox/headers.ts'
import type { Deployed } from '../../../sandbox/sandbox.ts'
import { emulatorSettings } from '../../../src/services/checkSettings.ts'
import { diagnose } from './doctor.ts'
import type { Finding } from './findings.ts'
import { checkPaymentMethods } from './stripe.ts'

const read = (path: string) => readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8')
const APP_SETTINGS = parseEnv(read('.env.sandbox'))
const indexesFile = JSON.parse(read('firebase/firestore.indexes.json'))

const HEADERS = read('public/_headers')

/** The app's pages with these headers, as a sandbox serves them: the build's hashes and its own hosts are there too. */
function siteOf(headers: string, hasLegalPages = true) {
  const rules = parseHeaders(headers.replace("script-src 'self'", "script-src 'self' 'sha256-cGFpbnRlZA=='"))
  const site = new Hono()
  for (const page of ['/', '/google-sign-in.html'])
    site.get(page, (c) => {
      const named = headersFor(rules, page)
      named.delete('strict-transport-security')
      const policy = named.get('content-security-policy')
      const { host, port } = new URL(c.req.url)
      if (policy) named.set('content-security-policy', withSandboxHosts(policy, Number(port), [host]))
      return c.html('', 200, Object.fromEntries(named))
    })
  // As in a sandbox, which shows templates.
  if (hasLegalPages) site.get('/legal/*', (c) => c.html('<p data-template>Modèle, relu par personne</p>'))
  return site
}

let world: World
beforeAll(async () => {
  world = await createWorld({ site: siteOf(HEADERS), sockets: true })
})
beforeEach(() => {
  world.reset()
  world.deliverWebhooks(true)
})
afterEach(async () => {
  // One that is heard after the reset speaks of a payment that the next test does not know.
  await world.sandbox.stripe.settled()
  expect(world.sandbox.unknownCalls).toEqual([])
})
afterAll(() => world.close())

const settingsOf = ({ sandbox }: World) => ({ ...APP_SETTINGS, ...sandbox.functionSettings() })
const problems = (findings: readonly Finding[]) => findings.filter(({ verdict }) => verdict !== 'good')
const examine = (
  changes: Readonly<Record<string, string | undefined>> = {},
  { of = world, site = of.origin as string | null } = {},
) => diagnose({ ...settingsOf(of), ...changes }, { site, now: of.now })

const debtSince = (ms: number, refundId: string | null) =>
  world.context.db.doc('refunds/pi_owed').set({
    uid: 'ada',
    reason: 'userGone',
    status: 'due',
    refundId,
    createdAt: world.now() - ms,
    checkAt: null,
  })

test('finds no fault in a sandbox', async () => {
  const findings = await examine()
  expect(problems(findings)).toEqual([])
  expect(findings.map(({ said }) => said)).toEqual([
    'The settings of the functions are all there and well formed.',
    'Notifications with the app closed are on.',
    'The settings of the app are all there, well formed, and of the same project.',
    'The rules in force for cloud.firestore are firebase/firestore.rules.',
    `The ${indexesFile.indexes.length} indexes of the database are there and ready.`,
    'The rules in force for firebase.storage/demo-passerelle.firebasestorage.app are firebase/storage.rules.',
    'The protection against e-mail enumeration is off: an unknown address leads to the sign-up.',
    'Users can sign in by e-mail and by phone, as far as the settings say.',
    'The database answers the service account.',
    'Nothing waits for the sweep for longer than it should.',
    'Payments are open.',
    'Payments are paused for 0 users.',
    'The Stripe account is acct_sandbox (test mode).',
    "The price 'passerelle_basic' is €2.00 each month.",
    "The price 'passerelle_premium' is €5.00 each month.",
    'Stripe offers cards, and nothing else.',
    'No dispute waits for an answer.',
    `Stripe sends ${WEBHOOK_EVENTS.length} kinds of events to ${world.origin}/.netlify/functions/stripe-webhook.`,
    `The pages at ${world.origin} come with the headers of public/_headers.`,
    `The 10 legal pages at ${world.origin} are there.`,
    `The functions at ${world.origin} answer, and could read their settings.`,
    'The database (eur3) and the functions (eu-central-1) are both in Europe.',
    'The webhook of the site accepts an event that is signed with STRIPE_WEBHOOK_SECRET.',
  ])
})

test('counts a paused user once, and reports a dispute that waits for an answer', async () => {
  const uid = await world.person()
  const request = requestOf(uid)
  const made = await createPaymentIntent(world.context, { uid }, request)
  const id = made.ok ? made.value.paymentIntentId : ''
  await world.pay(id)
  await recordTransfer(world.context, { uid }, { attemptId: request.attemptId })
  world.sandbox.stripe.dispute(id)
  for (const key of [uid, 'hash'])
    await world.context.db.doc(`restrictions/${key}`).set({ uid, open: ['du_1'], lifted: [], since: 1 })
  const said = (await examine()).map((finding) => finding.said)
  expect(said).toContain('Payments are paused for 1 users.')
  expect(said).toContain('The bank waits for an answer to 1 disputes.')
})

test('changes nothing', async () => {
  const before = JSON.stringify(world.sandbox.dump())
  await examine()
  expect(JSON.stringify(world.sandbox.dump())).toBe(before)
})

test('reveals no secret', async () => {
  const settings = settingsOf(world)
  const account = settings.FIREBASE_SERVICE_ACCOUNT ?? ''
  const keyLine = JSON.parse(account).private_key.split('\n')[1]
  const secrets = ['sk_live_secret', 'sk_test_sandboxx', 'whsec_othersecret', keyLine]
  const findings = [
    ...(await examine()),
    ...(await examine({ STRIPE_SECRET_KEY: 'sk_live_secret', STRIPE_WEBHOOK_SECRET: 'whsec_othersecret' })),
    ...(await examine({ STRIPE_SECRET_KEY: 'sk_test_sandboxx' })),
  ]
  for (const secret of secrets) expect(JSON.stringify(findings)).not.toContain(secret)
})

/** A fault in the test's own world, and what is reported of it, with the remedy. */
interface Fault {
  readonly settings?: Readonly<Record<string, string | undefined>>
  readonly site?: string
  readonly happens?: () => Promise<unknown>
  readonly found: RegExp
}

const reportFaults = async (...args: Parameters<typeof examine>) =>
  (await examine(...args)).flatMap(({ verdict, said, remedy }) =>
    verdict === 'bad' ? `${said} ${remedy}` : [],
  )

/** Runs a test in a deployment of its own. */
async function withDeployment(
  { deployed, site = siteOf(HEADERS) }: { readonly deployed?: Partial<Deployed>; readonly site?: Hono },
  work: (of: World) => Promise<void>,
) {
  const of = await createWorld({ ...(deployed && { deployed }), site, sockets: true })
  of.deliverWebhooks(true)
  await work(of)
  await of.close()
}

const offer = (methods: Stripe.PaymentMethodConfigurationUpdateParams) =>
  world.context.stripe.paymentMethodConfigurations.update('pmc_sandbox', methods)

/** The settings of an app in production. */
const WITHOUT_SANDBOX = Object.fromEntries(emulatorSettings(APP_SETTINGS).map((name) => [name, undefined]))

const FAULTS: Readonly<Record<string, Fault>> = {
  'a deployed app that points to a sandbox': {
    site: 'https://passerelle.example',
    found: /^VITE_FIRESTORE_EMULATOR_HOST points the app to an emulator or a sandbox\. .*build again/,
  },
  "a key that Stripe doesn't know": {
    settings: { STRIPE_SECRET_KEY: 'sk_test_revoked' },
    found:
      /^The prices of the plans: Stripe does not accept STRIPE_SECRET_KEY\. .*docs\/deploying\.md, Settings/,
  },
  'a key of another account than the database': {
    happens: () => world.context.db.doc('settings/stripe').set({ account: 'acct_other', mode: 'live' }),
    found:
      /^STRIPE_SECRET_KEY is of the account acct_sandbox \(test mode\), but the database belongs to acct_other \(live mode\)\. Correct the key/,
  },
  'a price without its lookup key': {
    happens: () => world.context.stripe.prices.update('price_premium', { lookup_key: '' }),
    found:
      /^Stripe has no active price with the lookup key 'passerelle_premium'\. .*recurring price of €5\.00 each month with the lookup key 'passerelle_premium'/,
  },
  "another plan's price under the lookup key": {
    happens: async () => {
      await world.context.stripe.prices.update('price_premium', { lookup_key: '' })
      await world.context.stripe.prices.update('price_basic', { lookup_key: 'passerelle_premium' })
    },
    found:
      /^The price 'passerelle_premium' is not €5\.00 each month, which the app shows; the plan is not sold\. .*recurring price of €5\.00/,
  },
  'cards that are switched off': {
    happens: () => offer({ card: { display_preference: { preference: 'off' } } }),
    found: /^Stripe offers no cards\. .*Payment methods/,
  },
  'a payment method that the app does not support': {
    happens: () => offer({ sepa_debit: { display_preference: { preference: 'on' } } }),
    found: /^Stripe also offers sepa_debit, which the app does not support\. .*everything else off/,
  },
  'no webhook': {
    happens: async () => world.deliverWebhooks(false),
    found:
      /^Stripe sends no events to http.*\/stripe-webhook\. .*an endpoint for http.*with the events payment_intent\.succeeded, /,
  },
  'a webhook that leaves out an event': {
    happens: () =>
      world.context.stripe.webhookEndpoints.update('we_sandbox', {
        enabled_events: ['payment_intent.succeeded'],
      }),
    found:
      /^The webhook we_sandbox leaves out payment_intent\.canceled, payment_intent\.payment_failed, charge\.refunded, .*Webhooks/,
  },
  'a webhook that was switched off': {
    happens: () => world.context.stripe.webhookEndpoints.update('we_sandbox', { disabled: true }),
    found: /^The webhook we_sandbox is disabled\. .*Enable it/,
  },
  'the signing secret of another webhook': {
    settings: { STRIPE_WEBHOOK_SECRET: 'whsec_of_another' },
    found:
      /^The webhook of the site refuses an event that is signed with STRIPE_WEBHOOK_SECRET\. .*signing secret/,
  },
  'a bucket without rules': {
    settings: { FIREBASE_STORAGE_BUCKET: 'a-new-bucket', VITE_FIREBASE_STORAGE_BUCKET: 'a-new-bucket' },
    found: /^No rules are in force for firebase\.storage\/a-new-bucket\. .*deploy --only storage'/,
  },
  'a sweep that never runs': {
    happens: async () => {
      const uid = await world.person()
      const token = await world.token(uid)
      await world.invoke('create-payment-intent', { ...requestOf(uid) }, { token })
      world.pass(2 * HOUR)
    },
    found:
      /^Payments, refunds, plans or deletions wait for the sweep for more than an hour\. .*whether 'sweep' is scheduled/,
  },
  'a sweep that pays nothing back': {
    happens: () => debtSince(2 * HOUR, null),
    found: /^Payments, refunds, plans or deletions wait.*whether 'sweep' is scheduled/,
  },
  'a sweep that continues no deletion': {
    happens: () =>
      world.context.db
        .doc('deletions/gone')
        .set({ uid: 'gone', status: 'due', createdAt: world.now() - 3 * HOUR }),
    found: /^Payments, refunds, plans or deletions wait.*whether 'sweep' is scheduled/,
  },
  'payments that an operator closed': {
    happens: () => close(world.context),
    found: /^Payments are closed since 2026-11-20 12:00:00 UTC\. .*payments open/,
  },
  'a payment that the database does not know': {
    happens: async () => {
      const backup = world.sandbox.firestore.dump()
      const uid = await world.person()
      const token = await world.token(uid)
      const started = await world.invoke('create-payment-intent', { ...requestOf(uid) }, { token })
      await world.pay(String(started.body.paymentIntentId))
      world.sandbox.firestore.load(backup)
    },
    found: /^The database does not know pi_\w+\. Decide about them: npm run ops -- unknown-payments list/,
  },
  'an operator without a licence': {
    settings: { VITE_OPERATOR_LICENCE: '' },
    found: /^VITE_OPERATOR_LICENCE is missing\. .*docs\/deploying\.md, Settings/,
  },
  'a legal text that was not reviewed': {
    settings: WITHOUT_SANDBOX,
    found:
      /^The page \/legal\/en\/complaints\.html is a template that nobody has reviewed\. Replace the text in legal\/en\/complaints\.txt, remove its first line/,
  },
  'a site without the functions': {
    site: 'http://127.0.0.1:9',
    found: /^The functions: no usable answer \(TypeError.*the address is right/,
  },
}

test('mentions payments of another deployment with the same Stripe account', async () => {
  const metadata = { deployment: 'passerelle-staging', kind: 'transfer', uid: 'ada', attemptKey: 'x' }
  await world.context.stripe.paymentIntents.create({ amount: 1000, currency: 'eur', metadata })
  const findings = await examine()
  expect(problems(findings)).toEqual([])
  expect(findings.map(({ said }) => said)).toContain(
    'The Stripe account also has payments of passerelle-staging, which are left alone.',
  )
})

test('ignores a refund that the bank is processing and a deletion of the last hour', async () => {
  await debtSince(48 * HOUR, 're_pending')
  await world.context.db
    .doc('deletions/gone')
    .set({ uid: 'gone', status: 'due', createdAt: world.now() - HOUR })
  expect(problems(await examine())).toEqual([])
})

describe('reports', () => {
  test.each(Object.entries(FAULTS))('%s', async (_, { settings, site, happens, found }) => {
    await happens?.()
    expect(await reportFaults(settings, { of: world, site: site ?? world.origin })).toContainEqual(
      expect.stringMatching(found),
    )
  })

  test('every setting that is wrong or contradicts another one', async () => {
    const remedy = 'Correct the setting: docs/deploying.md, Settings.'
    expect(
      await reportFaults({
        FIREBASE_STORAGE_BUCKET: undefined,
        FIREBASE_SERVICE_ACCOUNT: '{"client_email":"functions@',
        VITE_FIREBASE_PROJECT_ID: 'somebody-else',
      }),
    ).toEqual([
      `FIREBASE_STORAGE_BUCKET is missing. ${remedy}`,
      `FIREBASE_SERVICE_ACCOUNT must be the JSON text of a service account. ${remedy}`,
      'FIREBASE_PROJECT_ID and VITE_FIREBASE_PROJECT_ID are different. Use the values of one Firebase project.',
    ])
    expect(
      await reportFaults({
        VITE_STRIPE_PUBLISHABLE_KEY: 'pk_live_something',
        VITE_BY_HAND_LONGEST_MINUTES: '1440',
      }),
    ).toEqual([
      `STRIPE_SECRET_KEY and VITE_STRIPE_PUBLISHABLE_KEY must both be test keys or both be live keys. ${remedy}`,
      `VITE_BY_HAND_LONGEST_MINUTES promises what nobody in DELIVERY_PROVIDERS does. ${remedy}`,
    ])
  })

  test('every fault of the Firebase project', async () => {
    const deployed: Partial<Deployed> = {
      indexes: { ...indexesFile, indexes: indexesFile.indexes.slice(1) },
      firestoreRules: `${read('firebase/firestore.rules')}\n// changed in the console`,
      storageRules: read('firebase/storage.rules').replace('5 * 1024', '50 * 1024'),
      signInSettings: {
        signIn: { email: { enabled: true } },
        authorizedDomains: ['localhost', 'passerelle.firebaseapp.com'],
        smsRegionConfig: { allowlistOnly: { allowedRegions: ['FR', 'CA'] } },
      },
      functionsRegion: 'us-east-2',
    }
    await withDeployment({ deployed }, async (of) => {
      expect(await reportFaults({}, { of })).toEqual(
        [
          /^The rules in force for cloud\.firestore are not firebase\/firestore\.rules\. .*deploy --only firestore'/,
          /^The database has no index for transactions: .*deploy --only firestore:indexes/,
          /^The rules in force for firebase\.storage\/.* are not firebase\/storage\.rules\. .*deploy --only storage'/,
          /^The sign-in method Phone is off\. .*Sign-in method: switch Phone on/,
          /is not among the authorized domains, so no code.*Authorized domains: add /,
          /^Text messages may not go to Guinea\. .*SMS region policy/,
          /^The database is in eur3 and the functions run in us-east-2: .*choose fra \(Frankfurt\)/,
        ].map((found) => expect.stringMatching(found)),
      )
    })
  })

  test('a database outside of Europe, and countries that are excluded from text messages', async () => {
    const smsRegionConfig = { allowByDefault: { disallowedRegions: ['CA', 'US'] } }
    const deployed = { databaseLocation: 'southamerica-east1', signInSettings: { smsRegionConfig } }
    await withDeployment({ deployed }, async (of) => {
      expect(await reportFaults({}, { of })).toEqual([
        expect.stringMatching(/^Text messages may not go to Canada\./),
        expect.stringMatching(
          /^The database is in southamerica-east1 and the functions run in eu-central-1: both should/,
        ),
      ])
    })
  })

  test('every header that differs, and legal pages that are missing', async () => {
    const headers = HEADERS.replaceAll(' https://*.js.stripe.com', '')
      .replace('connect-src', 'media-src https:; connect-src https://plugin.example')
      .replace(/ +X-Content.*\n/, '')
      .replace('camera=()', 'camera=(self)')
      .replace('unsafe-none', 'same-origin-allow-popups')
    await withDeployment({ site: siteOf(headers, false) }, async (of) => {
      const [home = '', google, legal] = await reportFaults({}, { of })
      expect(home).toMatch(
        /^The headers of http\S+\/ are not those of public\/_headers: .*Deploy this commit\./,
      )
      for (const difference of [
        'the policy lacks script-src https://*.js.stripe.com',
        'the policy lacks frame-src https://*.js.stripe.com',
        'the policy adds media-src https:',
        'the policy adds connect-src https://plugin.example',
        'x-content-type-options is missing',
        "permissions-policy is 'camera=(self), ",
      ])
        expect(home).toContain(difference)
      expect(google).toMatch(
        /^The headers of http\S+\/google-sign-in\.html .* cross-origin-opener-policy is 'same-origin-allow-popups'/,
      )
      expect(legal).toMatch(
        /^There is no page \/legal\/fr\/\w+\.html at http\S+ \(it answered 404\)\. Deploy this/,
      )
    })
  })

  test('faults of all services at once', async () => {
    await world.context.stripe.prices.update('price_premium', { lookup_key: '' })
    await world.context.stripe.webhookEndpoints.update('we_sandbox', { disabled: true })
    const found = problems(
      await examine({
        VITE_SUPPORT_EMAIL: '',
        STRIPE_WEBHOOK_SECRET: 'whsec_of_another',
        FIREBASE_STORAGE_BUCKET: 'a-new-bucket',
      }),
    )
    expect(found.map(({ said }) => said)).toEqual([
      'VITE_SUPPORT_EMAIL is missing.',
      'FIREBASE_STORAGE_BUCKET and VITE_FIREBASE_STORAGE_BUCKET are different.',
      'No rules are in force for firebase.storage/a-new-bucket.',
      "Stripe has no active price with the lookup key 'passerelle_premium'.",
      'The webhook we_sandbox is disabled.',
      'The webhook of the site refuses an event that is signed with STRIPE_WEBHOOK_SECRET.',
    ])
  })

  test('all settings that cannot be read, without asking a service', async () => {
    const found = problems(await examine({ FIREBASE_PROJECT_ID: undefined, STRIPE_SECRET_KEY: 'secret' }))
    expect(found.map(({ said }) => said)).toEqual([
      'FIREBASE_PROJECT_ID is missing.',
      'STRIPE_SECRET_KEY must start with sk_test_ or sk_live_.',
      'Firebase and Stripe were not asked.',
    ])
  })
})

describe('a wallet', () => {
  const check = async (site: string | null = null) =>
    (await checkPaymentMethods({ context: world.context, site })).map(({ verdict, said }) => [verdict, said])
  const CARDS = ['good', 'Stripe offers cards, and nothing else.']

  test('is mentioned if it is switched off', async () => {
    await offer({ apple_pay: { display_preference: { preference: 'off' } } })
    expect(await check()).toEqual([CARDS, ['good', "Apple Pay can't be used."]])
  })

  test('needs a registered domain that is enabled and active', async () => {
    const site = 'https://pay.example.com'
    const missing = [CARDS, ['good', "Apple Pay and Google Pay can't be used."]]
    expect(await check(site)).toEqual(missing)
    await world.context.stripe.paymentMethodDomains.create({ domain_name: 'pay.example.com' })
    expect(await check(site)).toEqual([CARDS])
    const dump = world.sandbox.stripe.dump()
    for (const [, domain] of dump.paymentMethodDomains) domain.apple_pay = { status: 'inactive' }
    world.sandbox.stripe.load(dump)
    expect(await check(site)).toEqual([CARDS, ['good', "Apple Pay can't be used."]])
    for (const [, domain] of dump.paymentMethodDomains) domain.enabled = false
    world.sandbox.stripe.load(dump)
    expect(await check(site)).toEqual(missing)
  })
})

test('mentions that notifications are off without keys', async () => {
  const keys = { VITE_VAPID_PUBLIC_KEY: undefined, VAPID_PRIVATE_KEY: undefined, VAPID_SUBJECT: undefined }
  const findings = await examine(keys)
  expect(problems(findings)).toEqual([])
  expect(findings.map(({ said }) => said)).toContainEqual(
    expect.stringMatching(/^Notifications with the app closed are off/),
  )
})

test('says whether addresses are protected, or that it may not ask', async () => {
  const said = async () =>
    (await examine()).filter(({ said }) => /e-mail enumeration|settings of the sign-in/.test(said))
  world.sandbox.auth.setEmailEnumerationProtection(true)
  expect(await said()).toEqual([
    {
      verdict: 'good',
      said: 'The protection against e-mail enumeration is on: an unknown address and a wrong password get the same answer.',
    },
  ])
  const on = 'GET /identitytoolkit.googleapis.com/v2'
  world.sandbox.faults.add({ on, times: 1, what: { kind: 'status', status: 403 } })
  expect(await said()).toEqual([
    {
      verdict: 'unknown',
      said: 'The settings of the sign-in: the service account may not ask.',
      remedy: expect.stringContaining('Firebase Authentication Viewer'),
    },
  ])
})

test('leaves the checks of the site open without its address', async () => {
  const found = problems(await examine({}, { site: null }))
  expect(found.map(({ verdict, said }) => [verdict, said])).toEqual(
    [
      'The webhook at Stripe',
      'The headers of the site',
      'The legal pages',
      'The functions',
      'The regions of the database and the functions',
      'The webhook of the site',
    ].map((what) => ['unknown', `${what}: not checked.`]),
  )
})

test('leaves a check open if the service refuses the request', async () => {
  const on = 'GET /firebaserules.googleapis.com'
  world.sandbox.faults.add({ on, times: 2, what: { kind: 'status', status: 403 } })
  const found = problems(await examine())
  expect(found.map(({ verdict, said }) => [verdict, said])).toEqual([
    ['unknown', 'The rules of the database: the service account may not ask.'],
    ['unknown', 'The rules of the storage: the service account may not ask.'],
  ])
})

test('leaves an unknown policy of text messages and an unknown region open', async () => {
  const deployed = { signInSettings: { smsRegionConfig: {} }, functionsRegion: '' }
  await withDeployment({ deployed }, async (of) => {
    expect(problems(await examine({}, { of })).map(({ verdict, said }) => [verdict, said])).toEqual([
      ['unknown', 'No SMS region policy is set.'],
      ['unknown', 'The database is in eur3; the functions do not say where they run.'],
    ])
  })
})
