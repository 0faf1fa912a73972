import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { Hono } from 'hono'
import type { StripeDump } from 'service-emulators/stripe'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { RECEIPT_KEYS_PATH } from '../../../build/receiptKeys.ts'
import { HOUR } from '../../../domain/common/duration.ts'
import { listEmulatorSettings } from '../../../domain/settings/appSettings.ts'
import { createPaymentIntent } from '../../../netlify/server/endpoints/createPaymentIntent.ts'
import { recordTransfer } from '../../../netlify/server/endpoints/recordTransfer.ts'
import { WEBHOOK_EVENTS } from '../../../netlify/server/events/events.ts'
import { setPaymentsClosed } from '../../../netlify/server/payments/paymentsState.ts'
import { WAIT_KINDS } from '../../../netlify/server/payouts/waits.ts'
import { buildTransferRequest, createWorld, type World } from '../../../netlify/testing/world.ts'
import { addSandboxHosts, matchHeaders, readHeaderRules } from '../../../sandbox/headers.ts'
import type { DeployedProject } from '../../../sandbox/sandbox.ts'
import { createReceiptKeySettings } from '../receiptKeys.ts'
import { diagnose } from './doctor.ts'
import { type Finding, listFindings } from './findings.ts'
import { checkPaymentMethods } from './stripe.ts'

const read = (path: string) => readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8')
const APP_SETTINGS = parseEnv(read('.env.sandbox'))
const indexesFile = JSON.parse(read('firebase/firestore.indexes.json'))
const HEADERS = read('public/_headers')

/** Adds a hash of the build and the sandbox's hosts, as a sandbox does. */
async function createTestSite(headers: string, hasLegalPages = true) {
  const file = join(mkdtempSync(join(tmpdir(), 'passerelle-headers-')), '_headers')
  writeFileSync(file, headers.replace("script-src 'self'", "script-src 'self' 'sha256-cGFpbnRlZA=='"))
  const rules = await readHeaderRules(file)
  const site = new Hono()
  for (const page of ['/', '/google-sign-in.html', '/check-receipt.html'])
    site.get(page, (c) => {
      const named = new Map(matchHeaders(rules, page))
      named.delete('strict-transport-security')
      const policy = named.get('content-security-policy')
      const { host, port } = new URL(c.req.url)
      if (policy) named.set('content-security-policy', addSandboxHosts(policy, Number(port), [host]))
      return c.html('', 200, Object.fromEntries(named))
    })
  const [key, from] = (APP_SETTINGS.VITE_RECEIPT_KEYS ?? '').split('@')
  site.get(RECEIPT_KEYS_PATH, (c) => c.json({ keys: [{ key, from: Number(from), until: null }] }))
  if (hasLegalPages) site.get('/legal/*', (c) => c.html('<p data-template>Modèle, relu par personne</p>'))
  return site
}

let world: World
beforeAll(async () => {
  world = await createWorld({ site: await createTestSite(HEADERS), sockets: true })
  await world.sandbox.smtp.listen()
})
beforeEach(() => {
  world.reset()
  world.deliverWebhooks(true)
})
afterEach(async () => {
  // A late webhook would be about a payment that the next test does not know.
  await world.sandbox.stripe.settled()
  expect(world.sandbox.unknownCalls).toEqual([])
})
afterAll(async () => {
  await world.sandbox.smtp.close()
  await world.close()
})

const getSettings = ({ sandbox }: World) => ({ ...APP_SETTINGS, ...sandbox.functionSettings() })
const problems = (findings: readonly Finding[]) => findings.filter(({ verdict }) => verdict !== 'good')
const examine = (
  changes: Readonly<Record<string, string | undefined>> = {},
  { of = world, site = of.origin as string | null } = {},
) => diagnose({ ...getSettings(of), ...changes }, { site, now: of.now })

const debtSince = (ms: number, status: 'due' | 'pending') =>
  world.context.db.doc('refunds/pi_owed').set({
    ...{ uid: 'ada', reason: 'userGone', status, refundId: null, checkAt: null },
    ...{ createdAt: world.now() - ms, since: world.now() - ms },
  })

test('the doctor finds no fault in a sandbox', async () => {
  const findings = await examine()
  expect(problems(findings)).toEqual([])
  expect(findings.map(({ said }) => said)).toEqual([
    'All settings of the functions are present and valid.',
    'Push notifications are on.',
    'All settings of the app are present, valid and of the same project.',
    'The rules in force for cloud.firestore are firebase/firestore.rules.',
    `All ${indexesFile.indexes.length} indexes of the database are ready.`,
    'The rules in force for firebase.storage/demo-passerelle.firebasestorage.app are firebase/storage.rules.',
    'E-mail enumeration protection is off: the app offers to sign up with an unknown address.',
    'The settings allow users to sign in by e-mail and by phone.',
    'The service account can read the database.',
    `Nothing has waited longer than it may (${WAIT_KINDS.length} kinds of waiting).`,
    'Payments are open.',
    'Payments are paused for 0 users.',
    'The app has reported no error since yesterday.',
    'Receipts by email come from recus@passerelle.example.',
    'The Stripe account is acct_sandbox (test mode).',
    "The price 'passerelle_basic' is €2.00 each month.",
    "The price 'passerelle_premium' is €5.00 each month.",
    'Stripe offers only cards.',
    'No dispute waits for evidence.',
    `Stripe sends ${WEBHOOK_EVENTS.length} kinds of events to ${world.origin}/.netlify/functions/stripe-webhook.`,
    `The pages at ${world.origin} have the headers of public/_headers.`,
    `${world.origin} responds to a missing file with 404, which browsers don't cache.`,
    `${world.origin} has all 10 legal pages.`,
    `${world.origin} publishes the keys of receipts in VITE_RECEIPT_KEYS.`,
    `The functions at ${world.origin} respond, and their settings are valid.`,
    'The database (eur3) and the functions (eu-central-1) are both in Europe.',
    'The webhook of the site accepts an event that is signed with STRIPE_WEBHOOK_SECRET.',
  ])
})

test('the doctor reports the identity limit, and an unreadable setting', async () => {
  const said = async (VITE_IDENTITY_REQUIRED_FROM: string) =>
    (await examine({ VITE_IDENTITY_REQUIRED_FROM })).map((finding) => `${finding.verdict}: ${finding.said}`)
  expect(await said('250')).toContain(
    'good: Above €250.00 a month, a transfer needs an approved document (VITE_IDENTITY_REQUIRED_FROM).',
  )
  expect((await said('1000')).filter((line) => line.includes('VITE_IDENTITY_REQUIRED_FROM'))).toEqual([
    'bad: VITE_IDENTITY_REQUIRED_FROM must be a whole number of EUR, from 0 to 999.',
  ])
})

test('the doctor lists frequent errors of the app without calling them problems', async () => {
  const report = { kind: 'caught', place: 'Home:1:200', release: 'Ab3_x-90' }
  for (const name of ['RangeError', 'TypeError', 'TypeError'])
    await world.call('report-error', { ...report, name })
  const findings = await examine()
  expect(problems(findings)).toEqual([])
  expect(findings.map(({ said }) => said)).toContain(
    'The app has reported 3 errors since yesterday: 2 × TypeError, caught, Home:1:200, Ab3_x-90, other; 1 × RangeError, caught, Home:1:200, Ab3_x-90, other.',
  )
})

test('the doctor counts a paused user once, and reports unanswered disputes', async () => {
  const uid = await world.person()
  const request = buildTransferRequest(uid)
  const made = await createPaymentIntent(world.context, { uid }, request)
  const id = made.ok ? made.value.paymentIntentId : ''
  await world.pay(id)
  await recordTransfer(world.context, { uid }, { attemptId: request.attemptId })
  world.sandbox.stripe.dispute(id)
  for (const key of [uid, 'hash'])
    await world.context.db.doc(`restrictions/${key}`).set({ uid, open: ['du_1'], lifted: [], since: 1 })
  const said = (await examine()).map((finding) => finding.said)
  expect(said).toContain('Payments are paused for 1 users.')
  expect(said).toContain('Disputes that wait for evidence: 1.')
})

test('the doctor changes nothing', async () => {
  const before = JSON.stringify(world.sandbox.dump())
  await examine()
  expect(JSON.stringify(world.sandbox.dump())).toBe(before)
})

test('the doctor reveals no secret', async () => {
  const settings = getSettings(world)
  const keyLine = JSON.parse(settings.FIREBASE_SERVICE_ACCOUNT ?? '').private_key.split('\n')[1]
  const secrets = ['sk_live_secret', 'sk_test_sandboxx', 'whsec_othersecret', keyLine]
  const findings = [
    ...(await examine()),
    ...(await examine({ STRIPE_SECRET_KEY: 'sk_live_secret', STRIPE_WEBHOOK_SECRET: 'whsec_othersecret' })),
    ...(await examine({ STRIPE_SECRET_KEY: 'sk_test_sandboxx' })),
  ]
  for (const secret of secrets) expect(JSON.stringify(findings)).not.toContain(secret)
})

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

async function withDeployment(
  { deployed, site }: { readonly deployed?: Partial<DeployedProject>; readonly site?: Hono },
  work: (of: World) => Promise<void>,
) {
  const of = await createWorld({
    ...(deployed && { deployed }),
    site: site ?? (await createTestSite(HEADERS)),
    sockets: true,
  })
  await of.sandbox.smtp.listen()
  of.deliverWebhooks(true)
  await work(of)
  await of.sandbox.smtp.close()
  await of.close()
}

async function changeStripe(change: (dump: StripeDump) => void) {
  const { stripe } = world.sandbox
  const dump = stripe.dump()
  change(dump)
  stripe.load(dump)
}

const switchMethod = (name: 'card' | 'apple_pay' | 'sepa_debit', preference: 'on' | 'off') =>
  changeStripe(({ paymentMethodConfigurations: all }) => {
    for (const [, methods] of all)
      methods[name] = {
        available: preference === 'on',
        display_preference: { preference, value: preference },
      }
  })

const setLookupKeys = (keys: Readonly<Record<string, string | null>>) =>
  changeStripe(({ prices }) => {
    for (const [id, price] of prices) price.lookup_key = keys[id] ?? null
  })

const changeWebhook = (changes: Partial<StripeDump['webhookEndpoints'][number][1]>) =>
  changeStripe(({ webhookEndpoints }) => {
    for (const [, endpoint] of webhookEndpoints) Object.assign(endpoint, changes)
  })

const WITHOUT_SANDBOX = Object.fromEntries(
  listEmulatorSettings(APP_SETTINGS).map((name) => [name, undefined]),
)

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
  'a Stripe key of an account that is not the database’s': {
    happens: () => world.context.db.doc('settings/stripe').set({ account: 'acct_other', mode: 'live' }),
    found:
      /^STRIPE_SECRET_KEY belongs to the account acct_sandbox \(test mode\), but the database belongs to acct_other \(live mode\)\. Correct the key/,
  },
  'a price without its lookup key': {
    happens: () => setLookupKeys({ price_basic: 'passerelle_basic' }),
    found:
      /^Stripe has no active price with the lookup key 'passerelle_premium'\. .*recurring price of €5\.00 each month with the lookup key 'passerelle_premium'/,
  },
  "another plan's price under the lookup key": {
    happens: () => setLookupKeys({ price_basic: 'passerelle_premium' }),
    found:
      /^The price 'passerelle_premium' is not €5\.00 each month as in the app, so users can't buy the plan\. .*recurring price of €5\.00/,
  },
  'cards that are switched off': {
    happens: () => switchMethod('card', 'off'),
    found: /^Stripe offers no cards\. .*Payment methods/,
  },
  'a payment method that the app does not support': {
    happens: () => switchMethod('sepa_debit', 'on'),
    found: /^Stripe also offers sepa_debit, which the app does not support\. .*everything else off/,
  },
  'a missing webhook': {
    happens: async () => world.deliverWebhooks(false),
    found:
      /^Stripe sends no events to http.*\/stripe-webhook\. .*an endpoint for http.*with the events payment_intent\.succeeded, /,
  },
  'a webhook that leaves out an event': {
    happens: () => changeWebhook({ enabled_events: ['payment_intent.succeeded'] }),
    found:
      /^The webhook we_sandbox lacks the events payment_intent\.canceled, payment_intent\.payment_failed, setup_intent\.setup_failed, .*Webhooks/,
  },
  'a webhook that was switched off': {
    happens: () => changeWebhook({ status: 'disabled' }),
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
  'a due-work job that never runs': {
    happens: async () => {
      const uid = await world.person()
      const token = await world.token(uid)
      await world.invoke('create-payment-intent', { ...buildTransferRequest(uid) }, { token })
      world.pass(2 * HOUR)
    },
    found:
      /^1 payments have been neither settled nor ended for more than 90 minutes\. .*whether 'due-work' is scheduled/,
  },
  'a due-work job that begins no refund': {
    happens: () => debtSince(2 * HOUR, 'due'),
    found: /^1 refunds have waited to begin for more than an hour\. .*whether 'due-work' is scheduled/,
  },
  'a due-work job that continues no deletion': {
    happens: () =>
      world.context.db
        .doc('deletions/gone')
        .set({ uid: 'gone', status: 'due', createdAt: world.now() - 3 * HOUR }),
    found: /^1 deletions of accounts have not been completed for more than 125 minutes\. .*'due-work'/,
  },
  'payments that an operator closed': {
    happens: () => setPaymentsClosed(world.context),
    found: /^Payments have been closed since 2026-11-20 12:00:00 UTC\. .*payments open/,
  },
  'a payment that the database does not know': {
    happens: async () => {
      const backup = world.sandbox.firestore.dump()
      const uid = await world.person()
      const token = await world.token(uid)
      const started = await world.invoke('create-payment-intent', { ...buildTransferRequest(uid) }, { token })
      await world.pay(String(started.body.paymentIntentId))
      world.sandbox.firestore.load(backup)
    },
    found:
      /^The database does not know pi_\w+\. Decide whether to refund them: npm run ops -- unknown-payments list/,
  },
  'an operator without a licence': {
    settings: { VITE_OPERATOR_LICENCE: '' },
    found: /^VITE_OPERATOR_LICENCE is missing\. .*docs\/deploying\.md, Settings/,
  },
  'a legal text that was not reviewed': {
    settings: WITHOUT_SANDBOX,
    found:
      /^The page \/legal\/en\/complaints\.html is an unreviewed template\. Replace the text in legal\/en\/complaints\.txt, remove its first line/,
  },
  'an app that was built with other keys of receipts': {
    settings: parseEnv(createReceiptKeySettings({}, Date.UTC(2026, 5)).slice(1).join('\n')),
    found: /receipt-keys\.json does not have the keys .* Build and deploy again/,
  },
  'a site without the functions': {
    site: 'http://127.0.0.1:9',
    found: /^The functions: no valid response \(TypeError.*Check the address/,
  },
}

test('the doctor mentions payments of another deployment with the same Stripe account', async () => {
  const metadata = { deployment: 'passerelle-staging', kind: 'transfer', uid: 'ada', attemptKey: 'x' }
  await world.context.stripe.paymentIntents.create({ amount: 1000, currency: 'eur', metadata })
  const findings = await examine()
  expect(problems(findings)).toEqual([])
  expect(findings.map(({ said }) => said)).toContain(
    'The Stripe account also has payments of passerelle-staging, which this deployment ignores.',
  )
})

test('the doctor ignores a processing refund and a recent deletion', async () => {
  await debtSince(48 * HOUR, 'pending')
  await world.context.db
    .doc('deletions/gone')
    .set({ uid: 'gone', status: 'due', createdAt: world.now() - HOUR })
  expect(problems(await examine())).toEqual([])
})

describe('the problems that the doctor reports', () => {
  test.each(Object.entries(FAULTS))(
    'the doctor reports %s',
    async (_, { settings, site, happens, found }) => {
      await happens?.()
      expect(await reportFaults(settings, { of: world, site: site ?? world.origin })).toContainEqual(
        expect.stringMatching(found),
      )
    },
  )

  test('the doctor reports every setting that is wrong or contradicts another one', async () => {
    const remedy = 'Correct the setting: docs/deploying.md, Settings.'
    expect(
      await reportFaults({
        FIREBASE_STORAGE_BUCKET: undefined,
        FIREBASE_SERVICE_ACCOUNT: '{"client_email":"functions@',
        VITE_FIREBASE_PROJECT_ID: 'somebody-else',
      }),
    ).toEqual([
      `FIREBASE_STORAGE_BUCKET is missing. ${remedy}`,
      `FIREBASE_SERVICE_ACCOUNT must be the JSON key of a service account. ${remedy}`,
      'FIREBASE_PROJECT_ID and VITE_FIREBASE_PROJECT_ID differ. Use the values of one Firebase project.',
    ])
    expect(
      await reportFaults({
        VITE_STRIPE_PUBLISHABLE_KEY: 'pk_live_something',
        VITE_BY_HAND_LONGEST_MINUTES: '1440',
      }),
    ).toEqual([
      `STRIPE_SECRET_KEY and VITE_STRIPE_PUBLISHABLE_KEY must both be test keys or both be live keys. ${remedy}`,
      `VITE_BY_HAND_LONGEST_MINUTES must not be set, because DELIVERY_PROVIDERS has no provider. ${remedy}`,
    ])
    expect(await reportFaults({ CANCELLATION_WINDOW_SECONDS: '1 min' })).toEqual([
      `CANCELLATION_WINDOW_SECONDS must be a number of seconds, from 0 to 3600. ${remedy}`,
    ])
  })

  test('the doctor reports every fault of the Firebase project', async () => {
    const deployed: Partial<DeployedProject> = {
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
          /is not an authorized domain, so the app.*Authorized domains: add /,
          /^The SMS region policy blocks text messages to Guinea\. .*SMS region policy/,
          /^The database is in eur3 and the functions run in us-east-2: .*choose fra \(Frankfurt\)/,
        ].map((found) => expect.stringMatching(found)),
      )
    })
  })

  test('the doctor reports a database outside Europe and excluded countries', async () => {
    const smsRegionConfig = { allowByDefault: { disallowedRegions: ['CA', 'US'] } }
    const deployed = { databaseLocation: 'southamerica-east1', signInSettings: { smsRegionConfig } }
    await withDeployment({ deployed }, async (of) => {
      expect(await reportFaults({}, { of })).toEqual([
        expect.stringMatching(/^The SMS region policy blocks text messages to Canada\./),
        expect.stringMatching(
          /^The database is in southamerica-east1 and the functions run in eu-central-1: both should/,
        ),
      ])
    })
  })

  test('the doctor reports every header that differs, and missing legal pages', async () => {
    const headers = HEADERS.replaceAll(' https://*.js.stripe.com', '')
      .replace('connect-src', 'media-src https:; connect-src https://plugin.example')
      .replace(/ +X-Content.*\n/, '')
      .replace('microphone=()', 'microphone=(self)')
      .replace('unsafe-none', 'same-origin-allow-popups')
    await withDeployment({ site: await createTestSite(headers, false) }, async (of) => {
      const [home = '', google, , legal] = await reportFaults({}, { of })
      expect(home).toMatch(/^The headers of http\S+\/ differ from public\/_headers: .*Deploy this commit\./)
      for (const difference of [
        'the policy lacks script-src https://*.js.stripe.com',
        'the policy lacks frame-src https://*.js.stripe.com',
        'the policy adds media-src https:',
        'the policy adds connect-src https://plugin.example',
        'x-content-type-options is missing',
        "permissions-policy is 'camera=(self), microphone=(self), ",
      ])
        expect(home).toContain(difference)
      expect(google).toMatch(
        /^The headers of http\S+\/google-sign-in\.html .* cross-origin-opener-policy is 'same-origin-allow-popups'/,
      )
      expect(legal).toMatch(/^http\S+ has no page \/legal\/fr\/\w+\.html \(status 404\)\. Deploy this/)
    })
  })

  test('the doctor reports a cacheable page in place of missing files', async () => {
    const site = await createTestSite(HEADERS)
    site.get('/assets/*', (c) => c.html('', 200, { 'cache-control': 'public, max-age=31536000, immutable' }))
    await withDeployment({ site }, async (of) => {
      expect(await reportFaults({}, { of })).toEqual([
        expect.stringMatching(/^\S+ responds to the missing file \/assets\/missing\.js with 200 .*immutable/),
      ])
    })
  })

  test('the doctor reports faults of all services at once', async () => {
    await setLookupKeys({ price_basic: 'passerelle_basic' })
    await changeWebhook({ status: 'disabled' })
    const found = problems(
      await examine({
        VITE_SUPPORT_EMAIL: '',
        STRIPE_WEBHOOK_SECRET: 'whsec_of_another',
        FIREBASE_STORAGE_BUCKET: 'a-new-bucket',
      }),
    )
    expect(found.map(({ said }) => said)).toEqual([
      'VITE_SUPPORT_EMAIL is missing.',
      'FIREBASE_STORAGE_BUCKET and VITE_FIREBASE_STORAGE_BUCKET differ.',
      'No rules are in force for firebase.storage/a-new-bucket.',
      "Stripe has no active price with the lookup key 'passerelle_premium'.",
      'The webhook we_sandbox is disabled.',
      'The webhook of the site refuses an event that is signed with STRIPE_WEBHOOK_SECRET.',
    ])
  })

  test('the doctor reports all unreadable settings, without calling a service', async () => {
    const found = problems(await examine({ FIREBASE_PROJECT_ID: undefined, STRIPE_SECRET_KEY: 'secret' }))
    expect(found.map(({ said }) => said)).toEqual([
      'FIREBASE_PROJECT_ID is missing.',
      'STRIPE_SECRET_KEY must start with sk_test_ or sk_live_.',
      'Firebase and Stripe were not checked.',
    ])
  })
})

describe('the wallets that the doctor checks', () => {
  const check = async (site: string | null = null) => {
    const found = await listFindings(checkPaymentMethods({ context: world.context, site }))
    return found.map(({ verdict, said }) => [verdict, said])
  }
  const CARDS = ['good', 'Stripe offers only cards.']

  test('the doctor mentions a wallet that is switched off', async () => {
    await switchMethod('apple_pay', 'off')
    expect(await check()).toEqual([CARDS, ['good', "Apple Pay can't be used."]])
  })

  test('the doctor reports a wallet whose domain isn’t registered and active', async () => {
    const site = 'https://pay.example.com'
    const missing = [CARDS, ['good', "Apple Pay and Google Pay can't be used."]]
    expect(await check(site)).toEqual(missing)
    const active = { status: 'active' } as const
    const domain = { id: 'pmd_1', created: 1, domain_name: 'pay.example.com', enabled: true }
    const register = (changes: Partial<StripeDump['paymentMethodDomains'][number][1]>) =>
      changeStripe((dump) => {
        dump.paymentMethodDomains = [
          ['pmd_1', { ...domain, apple_pay: active, google_pay: active, ...changes }],
        ]
      })
    await register({})
    expect(await check(site)).toEqual([CARDS])
    await register({ apple_pay: { status: 'inactive' } })
    expect(await check(site)).toEqual([CARDS, ['good', "Apple Pay can't be used."]])
    await register({ enabled: false })
    expect(await check(site)).toEqual(missing)
  })
})

test('the doctor mentions that notifications are off if their keys are missing', async () => {
  const keys = { VITE_VAPID_PUBLIC_KEY: undefined, VAPID_PRIVATE_KEY: undefined, VAPID_SUBJECT: undefined }
  const findings = await examine(keys)
  expect(problems(findings)).toEqual([])
  expect(findings.map(({ said }) => said)).toContainEqual(
    expect.stringMatching(/^Push notifications are off/),
  )
})

test('the doctor reports email enumeration protection that is on or unreadable', async () => {
  const said = async () =>
    (await examine()).filter(({ said }) => /e-mail enumeration|sign-in settings/i.test(said))
  world.sandbox.auth.setEmailEnumerationProtection(true)
  expect(await said()).toEqual([
    {
      verdict: 'good',
      said: 'E-mail enumeration protection is on: an unknown address and a wrong password get the same response.',
    },
  ])
  const on = 'GET /identitytoolkit.googleapis.com/v2'
  world.sandbox.faults.add({ on, times: 1, what: { kind: 'status', status: 403 } })
  expect(await said()).toEqual([
    {
      verdict: 'unknown',
      said: 'The sign-in settings: the service account lacks a permission.',
      remedy: expect.stringContaining('Firebase Authentication Viewer'),
    },
  ])
})

test('the doctor skips the site’s checks without its URL', async () => {
  const found = problems(await examine({}, { site: null }))
  expect(found.map(({ verdict, said }) => [verdict, said])).toEqual(
    [
      'The webhook at Stripe',
      'The headers of the site',
      'Missing files',
      'The legal pages',
      'The keys of receipts',
      'The functions',
      'The regions of the database and the functions',
      'The webhook of the site',
    ].map((what) => ['unknown', `${what}: not checked.`]),
  )
})

test('a check is unknown if the service refuses the request', async () => {
  const on = 'GET /firebaserules.googleapis.com'
  world.sandbox.faults.add({ on, times: 2, what: { kind: 'status', status: 403 } })
  const found = problems(await examine())
  expect(found.map(({ verdict, said }) => [verdict, said])).toEqual([
    ['unknown', 'The rules of the database: the service account lacks a permission.'],
    ['unknown', 'The rules of the storage: the service account lacks a permission.'],
  ])
})

test('a missing text-message policy and an unknown region are unknown', async () => {
  const deployed = { signInSettings: { smsRegionConfig: {} }, functionsRegion: '' }
  await withDeployment({ deployed }, async (of) => {
    expect(problems(await examine({}, { of })).map(({ verdict, said }) => [verdict, said])).toEqual([
      ['unknown', 'No SMS region policy is set.'],
      ['unknown', "The database is in eur3, and the functions don't report their region."],
    ])
  })
})
