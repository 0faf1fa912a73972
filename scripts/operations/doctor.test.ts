import { readFileSync } from 'node:fs'
import { parseEnv } from 'node:util'
import { Hono } from 'hono'
import type Stripe from 'stripe'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { HOUR } from '../../domain/duration.ts'
import { createPaymentIntent } from '../../netlify/server/endpoints/createPaymentIntent.ts'
import { recordTransfer } from '../../netlify/server/endpoints/recordTransfer.ts'
import { WEBHOOK_EVENTS } from '../../netlify/server/operations/events.ts'
import { createWorld, requestOf, type World } from '../../netlify/testing/world.ts'
import { headersFor, parseHeaders, withSandboxHosts } from '../../sandbox/headers.ts'
import type { Deployed } from '../../sandbox/sandbox.ts'
import { emulatorSettings } from '../../src/services/checkSettings.ts'
import { diagnose, type Finding } from './doctor.ts'

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')
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

test('a sandbox is set up as it should be', async () => {
  const findings = await examine()
  expect(problems(findings)).toEqual([])
  expect(findings.map(({ said }) => said)).toEqual([
    'The settings of the functions are all there and well formed.',
    'The settings of the app are all there, well formed, and of the same project.',
    'The rules in force for cloud.firestore are firebase/firestore.rules.',
    'The rules in force for firebase.storage/demo-passerelle.firebasestorage.app are firebase/storage.rules.',
    `The ${indexesFile.indexes.length} indexes of the database are there and ready.`,
    'The protection against e-mail enumeration is off: an unknown address leads to the sign-up.',
    'People can sign in by e-mail and by phone, as far as the settings say.',
    'The database answers the service account.',
    'Nothing waits for the sweep for longer than it should.',
    'Payments are open.',
    'Who wants it is told with the app closed: the keys are there, and of one pair.',
    'Payments are paused for 0 people.',
    'No dispute waits for an answer.',
    "The price 'passerelle_basic' is €2.00 each month.",
    "The price 'passerelle_premium' is €5.00 each month.",
    'Stripe offers cards, and nothing else.',
    `Stripe sends ${WEBHOOK_EVENTS.length} kinds of events to ${world.origin}/.netlify/functions/stripe-webhook.`,
    `The pages at ${world.origin} come with the headers of public/_headers.`,
    `The 10 legal pages at ${world.origin} are there; a sandbox may show templates.`,
    `The functions at ${world.origin} answer, and could read their settings.`,
    'The database (eur3) and the functions (eu-central-1) are both in Europe.',
    'The webhook of the site takes an event that is signed with STRIPE_WEBHOOK_SECRET.',
  ])
})

test('who is paused is counted once, and a dispute that waits is told', async () => {
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
  expect(said).toContain('Payments are paused for 1 people.')
  expect(said).toContain('The bank waits for an answer to 1 disputes.')
})

test('it changes nothing', async () => {
  const before = JSON.stringify(world.sandbox.dump())
  await examine()
  expect(JSON.stringify(world.sandbox.dump())).toBe(before)
})

test('no finding holds a secret', async () => {
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

/** What somebody forgot or mistook, what is said of it, and how it is mended. */
interface Breakage {
  readonly what: string
  readonly settings?: Readonly<Record<string, string | undefined>>
  readonly deployed?: Partial<Deployed>
  readonly hasLegalPages?: false
  /** What stands in the deployed `_headers`. */
  readonly headers?: string
  readonly site?: string | null
  readonly happens?: () => Promise<unknown>
  readonly said: RegExp
  readonly remedy: RegExp
}

const offer = (methods: Stripe.PaymentMethodConfigurationUpdateParams) =>
  world.context.stripe.paymentMethodConfigurations.update('pmc_sandbox', methods)

/** The settings of an app that is built for people who pay. */
const WITHOUT_SANDBOX = Object.fromEntries(emulatorSettings(APP_SETTINGS).map((name) => [name, undefined]))

const BREAKAGES: readonly Breakage[] = [
  {
    what: 'a setting is missing',
    settings: { FIREBASE_STORAGE_BUCKET: undefined },
    said: /^FIREBASE_STORAGE_BUCKET is missing\.$/,
    remedy: /Firebase console, Storage/,
  },
  {
    what: 'the service account was cut off while it was copied',
    settings: { FIREBASE_SERVICE_ACCOUNT: '{"client_email":"functions@' },
    said: /^FIREBASE_SERVICE_ACCOUNT must be the JSON text of a service account\.$/,
    remedy: /Generate new private key/,
  },
  {
    what: 'keys of test and live mode together',
    settings: { VITE_STRIPE_PUBLISHABLE_KEY: 'pk_live_something' },
    said: /^STRIPE_SECRET_KEY and VITE_STRIPE_PUBLISHABLE_KEY must both be test keys or both be live keys\.$/,
    remedy: /the mode that the other settings are of/,
  },
  {
    what: 'the app is of another project than the functions',
    settings: { VITE_FIREBASE_PROJECT_ID: 'somebody-else' },
    said: /^FIREBASE_PROJECT_ID and VITE_FIREBASE_PROJECT_ID name different things\.$/,
    remedy: /one Firebase project/,
  },
  {
    what: 'a promise that nobody has to keep',
    settings: { VITE_BY_HAND_LONGEST_MINUTES: '1440' },
    said: /^VITE_BY_HAND_LONGEST_MINUTES promises what nobody in DELIVERY_PROVIDERS does\.$/,
    remedy: /people who pay by hand may take/,
  },
  {
    what: 'a deployed app that points to a sandbox',
    site: 'https://passerelle.example',
    said: /^VITE_FIRESTORE_EMULATOR_HOST points the app to an emulator or a sandbox\.$/,
    remedy: /build again/,
  },
  {
    what: "a key that Stripe doesn't know",
    settings: { STRIPE_SECRET_KEY: 'sk_test_revoked' },
    said: /^The prices of the plans: Stripe does not accept STRIPE_SECRET_KEY\.$/,
    remedy: /API keys/,
  },
  {
    what: 'a price without its lookup key',
    happens: () => world.context.stripe.prices.update('price_premium', { lookup_key: '' }),
    said: /^Stripe has no active price with the lookup key 'passerelle_premium'\.$/,
    remedy: /recurring price of €5\.00 each month with the lookup key 'passerelle_premium'/,
  },
  {
    what: "another plan's price under the lookup key",
    happens: async () => {
      await world.context.stripe.prices.update('price_premium', { lookup_key: '' })
      await world.context.stripe.prices.update('price_basic', { lookup_key: 'passerelle_premium' })
    },
    said: /^The price 'passerelle_premium' is not €5\.00 each month, which the app shows; the plan is not sold\.$/,
    remedy: /recurring price of €5\.00/,
  },
  {
    what: 'cards that are switched off',
    happens: () => offer({ card: { display_preference: { preference: 'off' } } }),
    said: /^Stripe offers no cards\.$/,
    remedy: /Payment methods/,
  },
  {
    what: 'a way to pay that the app does not know',
    happens: () => offer({ sepa_debit: { display_preference: { preference: 'on' } } }),
    said: /^Beside cards Stripe offers sepa_debit, which the app is not made for\.$/,
    remedy: /everything else off/,
  },
  {
    what: 'no webhook',
    happens: async () => world.deliverWebhooks(false),
    said: /^Stripe sends no events to http.*\/stripe-webhook\.$/,
    remedy: /an endpoint for http.*with the events payment_intent\.succeeded, /,
  },
  {
    what: 'a webhook that leaves out an event',
    happens: () =>
      world.context.stripe.webhookEndpoints.update('we_sandbox', {
        enabled_events: ['payment_intent.succeeded'],
      }),
    said: /^The webhook we_sandbox leaves out payment_intent\.canceled, payment_intent\.payment_failed, charge\.refunded, /,
    remedy: /Webhooks/,
  },
  {
    what: 'a webhook that was switched off',
    happens: () => world.context.stripe.webhookEndpoints.update('we_sandbox', { disabled: true }),
    said: /^The webhook we_sandbox is disabled\.$/,
    remedy: /Enable it/,
  },
  {
    what: 'the signing secret of another webhook',
    settings: { STRIPE_WEBHOOK_SECRET: 'whsec_of_another' },
    said: /^The webhook of the site refuses an event that is signed with STRIPE_WEBHOOK_SECRET\.$/,
    remedy: /signing secret/,
  },
  {
    what: 'an index that was not deployed',
    deployed: { indexes: { ...indexesFile, indexes: indexesFile.indexes.slice(1) } },
    said: /^The database has no index for transactions: /,
    remedy: /deploy --only firestore:indexes/,
  },
  {
    what: 'rules of the database from another commit',
    deployed: { firestoreRules: `${read('firebase/firestore.rules')}\n// changed in the console` },
    said: /^The rules in force for cloud\.firestore are not firebase\/firestore\.rules\.$/,
    remedy: /deploy --only firestore'/,
  },
  {
    what: 'rules of the storage from another commit',
    deployed: { storageRules: read('firebase/storage.rules').replace('5 * 1024', '50 * 1024') },
    said: /^The rules in force for firebase\.storage\/.* are not firebase\/storage\.rules\.$/,
    remedy: /deploy --only storage'/,
  },
  {
    what: 'a bucket without rules',
    settings: { FIREBASE_STORAGE_BUCKET: 'a-new-bucket', VITE_FIREBASE_STORAGE_BUCKET: 'a-new-bucket' },
    said: /^No rules are in force for firebase\.storage\/a-new-bucket\.$/,
    remedy: /deploy --only storage'/,
  },
  {
    what: 'a sweep that never runs',
    happens: async () => {
      const uid = await world.person()
      const token = await world.token(uid)
      await world.invoke('create-payment-intent', { ...requestOf(uid) }, { token })
      world.pass(2 * HOUR)
    },
    said: /^Payments, refunds, plans or deletions wait for the sweep for more than an hour\.$/,
    remedy: /whether 'sweep' is scheduled/,
  },
  {
    what: 'a sweep that pays nothing back',
    happens: () => debtSince(2 * HOUR, null),
    said: /^Payments, refunds, plans or deletions wait/,
    remedy: /whether 'sweep' is scheduled/,
  },
  {
    what: 'a sweep that goes on with no deletion',
    happens: () =>
      world.context.db
        .doc('deletions/gone')
        .set({ uid: 'gone', status: 'due', createdAt: world.now() - 3 * HOUR }),
    said: /^Payments, refunds, plans or deletions wait/,
    remedy: /whether 'sweep' is scheduled/,
  },
  {
    what: 'payments that were closed and forgotten',
    happens: () =>
      world.context.db.doc('settings/payments').set({ closed: { why: 'byHand', since: world.now() } }),
    said: /^Nobody can pay since 2026-11-20 12:00 UTC: somebody closed them by hand\.$/,
    remedy: /payments -- open/,
  },
  {
    what: 'a database that is older than the payments',
    happens: async () => {
      const backup = world.sandbox.firestore.dump()
      const uid = await world.person()
      const token = await world.token(uid)
      await world.invoke('create-payment-intent', { ...requestOf(uid) }, { token })
      world.sandbox.firestore.load(backup)
    },
    said: /^The database knows no attempt for pi_\w+\.$/,
    remedy: /^Rebuild the records: npm run ops -- payments rebuild/,
  },
  {
    what: 'a database whose age was noticed',
    happens: async () => {
      const backup = world.sandbox.firestore.dump()
      const uid = await world.person()
      const token = await world.token(uid)
      const started = await world.invoke('create-payment-intent', { ...requestOf(uid) }, { token })
      await world.pay(String(started.body.paymentIntentId))
      world.sandbox.firestore.load(backup)
      await world.invoke('sweep', {})
    },
    said: /^Nobody can pay since 2026-11-20 12:00 UTC: Stripe has payments that the database does not know\.$/,
    remedy: /^Rebuild the records: npm run ops -- payments rebuild/,
  },
  {
    what: 'a security policy of an older commit',
    headers: HEADERS.replaceAll(' https://*.js.stripe.com', ''),
    said: /^The headers of http\S+\/ are not those of public\/_headers: script-src lacks https:\/\/\*\.js\.stripe\.com; frame-src lacks https:\/\/\*\.js\.stripe\.com\.$/,
    remedy: /^Deploy this commit\./,
  },
  {
    what: 'a security policy that somebody opened',
    headers: HEADERS.replace('connect-src', 'media-src https:; connect-src https://plugin.example'),
    said: /public\/_headers: connect-src adds https:\/\/plugin\.example; media-src is added\.$/,
    remedy: /a plugin, headers in Netlify's settings, or a proxy/,
  },
  {
    what: 'a header that somebody took away, and one that is another',
    headers: HEADERS.replace(/ +X-Content.*\n/, '').replace('camera=()', 'camera=(self)'),
    said: /x-content-type-options is missing; permissions-policy is 'camera=\(self\), /,
    remedy: /^Deploy this commit\./,
  },
  {
    what: 'a window for Google that the browser takes for closed',
    headers: HEADERS.replace('unsafe-none', 'same-origin-allow-popups'),
    said: /^The headers of http\S+\/google-sign-in\.html .* cross-origin-opener-policy is 'same-origin-allow-popups'\.$/,
    remedy: /^Deploy this commit\./,
  },
  {
    what: 'who stands behind the app is not named',
    settings: { VITE_OPERATOR_LICENCE: '' },
    said: /^VITE_OPERATOR_LICENCE is missing\.$/,
    remedy: /kind and the number of the licence/,
  },
  {
    what: 'a legal text that nobody has reviewed',
    settings: WITHOUT_SANDBOX,
    said: /^The page \/legal\/en\/complaints\.html is a template that nobody has reviewed\.$/,
    remedy: /^Replace the text in legal\/en\/complaints\.txt, take its first line away/,
  },
  {
    what: 'legal pages that were not deployed',
    hasLegalPages: false,
    said: /^There is no page \/legal\/fr\/terms\.html at http\S+ \(it answered 404\)\.$/,
    remedy: /^Deploy this commit\.$/,
  },
  {
    what: 'a way to sign in that nobody switched on',
    deployed: { signInSettings: { signIn: { email: { enabled: true } } } },
    said: /^The sign-in method Phone is off\.$/,
    remedy: /Sign-in method: switch Phone on/,
  },
  {
    what: 'a site from which no captcha is taken',
    deployed: { signInSettings: { authorizedDomains: ['localhost', 'passerelle.firebaseapp.com'] } },
    said: /is not among the authorized domains: nobody gets a code/,
    remedy: /Authorized domains: add /,
  },
  {
    what: 'a country that no text message may go to',
    deployed: {
      signInSettings: { smsRegionConfig: { allowlistOnly: { allowedRegions: ['FR', 'CA'] } } },
    },
    said: /^Text messages may not go to Guinea\.$/,
    remedy: /SMS region policy/,
  },
  {
    what: 'countries that somebody took out',
    deployed: {
      signInSettings: { smsRegionConfig: { allowByDefault: { disallowedRegions: ['CA', 'US'] } } },
    },
    said: /^Text messages may not go to Canada\.$/,
    remedy: /SMS region policy/,
  },
  {
    what: 'functions where Netlify runs them unless somebody chooses',
    deployed: { functionsRegion: 'us-east-2' },
    said: /^The database is in Europe \(eur3\), and the functions run in North America \(us-east-2\): /,
    remedy: /Functions region: choose fra \(Frankfurt\), and deploy again/,
  },
  {
    what: 'a database far from everybody else',
    deployed: { databaseLocation: 'southamerica-east1' },
    said: /^The database is in South America \(southamerica-east1\), and the functions run in Europe \(eu-central-1\): /,
    remedy: /choose gru \(São Paulo\)/,
  },
  {
    what: 'a site without the functions',
    site: 'http://127.0.0.1:9',
    said: /^The functions: no usable answer \(TypeError/,
    remedy: /the address is right/,
  },
]

test('payments of another deployment on the same Stripe account are named, and are nothing wrong', async () => {
  const metadata = { deployment: 'passerelle-staging', kind: 'transfer', uid: 'ada', attemptKey: 'x' }
  await world.context.stripe.paymentIntents.create({ amount: 1000, currency: 'eur', metadata })
  const findings = await examine()
  expect(problems(findings)).toEqual([])
  expect(findings.map(({ said }) => said)).toContain(
    'The Stripe account also has payments of passerelle-staging, which are left alone.',
  )
})

test('a refund that the bank works on does not wait for the sweep, nor does a deletion of the last hour', async () => {
  await debtSince(48 * HOUR, 're_pending')
  await world.context.db
    .doc('deletions/gone')
    .set({ uid: 'gone', status: 'due', createdAt: world.now() - HOUR })
  expect(problems(await examine())).toEqual([])
})

describe('a configuration that is broken', () => {
  test.each(BREAKAGES)(
    '$what',
    async ({ settings, deployed, headers, hasLegalPages, site, happens, said, remedy }) => {
      const of =
        deployed || headers || hasLegalPages === false
          ? await createWorld({
              ...(deployed && { deployed }),
              site: siteOf(headers ?? HEADERS, hasLegalPages),
              sockets: true,
            })
          : world
      of.deliverWebhooks(true)
      await happens?.()
      const found = problems(await examine(settings, { of, ...(site !== undefined && { site }) }))
      expect(found).toContainEqual({
        verdict: 'bad',
        said: expect.stringMatching(said),
        remedy: expect.stringMatching(remedy),
      })
      if (of !== world) await of.close()
    },
  )

  test('all of it at once: each is named', async () => {
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
      'FIREBASE_STORAGE_BUCKET and VITE_FIREBASE_STORAGE_BUCKET name different things.',
      'No rules are in force for firebase.storage/a-new-bucket.',
      "Stripe has no active price with the lookup key 'passerelle_premium'.",
      'The webhook we_sandbox is disabled.',
      'The webhook of the site refuses an event that is signed with STRIPE_WEBHOOK_SECRET.',
    ])
  })

  test('settings that cannot be read are all named before anything is asked', async () => {
    const found = problems(await examine({ FIREBASE_PROJECT_ID: undefined, STRIPE_SECRET_KEY: 'secret' }))
    expect(found.map(({ said }) => said)).toEqual([
      'FIREBASE_PROJECT_ID is missing.',
      'STRIPE_SECRET_KEY must start with sk_test_ or sk_live_.',
      'Firebase and Stripe were not asked.',
    ])
  })
})

test('wallets that are switched off are told of, and nothing is wrong', async () => {
  await offer({ apple_pay: { display_preference: { preference: 'off' } } })
  const findings = await examine()
  expect(problems(findings)).toEqual([])
  expect(findings).toContainEqual({
    verdict: 'good',
    said: 'Nobody can pay with Apple Pay here.',
    remedy: expect.stringMatching(/switch them on/),
  })
})

test('notifications without keys are told of where somebody pays out, and nothing is wrong', async () => {
  const keys = { VITE_VAPID_PUBLIC_KEY: undefined, VAPID_PRIVATE_KEY: undefined, VAPID_SUBJECT: undefined }
  const hints = async (DELIVERY_PROVIDERS: string) => {
    const findings = await examine({ ...keys, DELIVERY_PROVIDERS })
    expect(problems(findings)).toEqual([])
    return findings.filter(({ said }) => /with the app closed/.test(said)).map(({ remedy }) => remedy)
  }
  expect(await hints('byHand')).toEqual([expect.stringContaining('web-push generate-vapid-keys')])
  // There is nothing to tell.
  expect(await hints('')).toEqual([])
})

test('it says whether addresses are protected, and that it could not ask', async () => {
  const said = async () =>
    (await examine()).filter(({ said }) => /e-mail enumeration|settings of the sign-in/.test(said))
  world.sandbox.auth.setEmailEnumerationProtection(true)
  expect(await said()).toEqual([
    {
      verdict: 'good',
      said: 'The protection against e-mail enumeration is on: an unknown address and a wrong password are told alike.',
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

test('it does not know what holds where nobody chose the countries of text messages', async () => {
  const of = await createWorld({
    deployed: { signInSettings: { smsRegionConfig: {} } },
    site: siteOf(HEADERS),
    sockets: true,
  })
  of.deliverWebhooks(true)
  expect(problems(await examine({}, { of }))).toEqual([
    {
      verdict: 'unknown',
      said: 'Nobody chose which countries text messages may go to.',
      remedy: expect.stringContaining('SMS region policy'),
    },
  ])
  await of.close()
})

test('without an address of the site, what belongs to it is left open', async () => {
  const found = problems(await examine({}, { site: null }))
  expect(found.map(({ verdict, said }) => [verdict, said])).toEqual([
    ['unknown', 'Nobody looked at the webhook at Stripe.'],
    ['unknown', 'Nobody looked at the headers of the site.'],
    ['unknown', 'Nobody looked at the legal pages.'],
    ['unknown', 'Nobody looked at the functions.'],
    ['unknown', 'Nobody looked at the region of the functions.'],
    ['unknown', 'Nobody looked at the webhook of the site.'],
  ])
})

test('a service that refuses is not taken for one that is wrong', async () => {
  const on = 'GET /firebaserules.googleapis.com'
  world.sandbox.faults.add({ on, times: 2, what: { kind: 'status', status: 403 } })
  const found = problems(await examine())
  expect(found.map(({ verdict, said }) => [verdict, said])).toEqual([
    ['unknown', 'The rules of the database: the service account may not ask.'],
    ['unknown', 'The rules of the storage: the service account may not ask.'],
  ])
})

test.each([
  [{ functionsRegion: '' }, 'The database is in eur3; the functions do not say where they run.'],
  [
    { functionsRegion: 'moon-1' },
    'The database is in eur3, the functions run in moon-1: nobody here knows how far apart that is.',
  ],
])('where the functions run is left open when nobody can tell: %o', async (deployed, said) => {
  const of = await createWorld({ deployed, site: siteOf(HEADERS), sockets: true })
  of.deliverWebhooks(true)
  expect(problems(await examine({}, { of }))).toEqual([
    { verdict: 'unknown', said, remedy: expect.any(String) },
  ])
  await of.close()
})
