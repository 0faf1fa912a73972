import { globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import Stripe from 'stripe'
import type { DeliveryState } from '../../domain/delivery.ts'
import { DESTINATIONS } from '../../domain/destinations.ts'
import { LEGAL_PAGES, legalAddress } from '../../domain/legal.ts'
import { formatMoney } from '../../domain/money.ts'
import { PLANS, type Tier } from '../../domain/plans.ts'
import { isAsShown, LOOKUP_KEYS } from '../../netlify/server/endpoints/createSubscription.ts'
import { TOKENS_OUTLIVE } from '../../netlify/server/endpoints/deleteAccount.ts'
import { ATTEMPT_LIFETIME, withCheck, withStatus } from '../../netlify/server/endpoints/sweep.ts'
import { WEBHOOK_EVENTS } from '../../netlify/server/operations/events.ts'
import { unattended } from '../../netlify/server/payments/deliver.ts'
import { restrictions } from '../../netlify/server/payments/mayPay.ts'
import {
  paymentsState,
  unknownAmong,
  unknownPayments,
  type WhyClosed,
} from '../../netlify/server/platform/closing.ts'
import { type Context, createContext } from '../../netlify/server/platform/context.ts'
import { isAttemptIntent } from '../../netlify/server/platform/metadata.ts'
import { attempts, customers, deletions, deliveries, refunds } from '../../netlify/server/platform/records.ts'
import { pathOf } from '../../netlify/server/platform/registry.ts'
import { readSettings, type Settings, SettingsError } from '../../netlify/server/platform/settings.ts'
import { headersFor, parseHeaders } from '../../sandbox/headers.ts'
import { LANGUAGES } from '../../src/browser/storedLanguage.ts'
import { checkSettings, emulatorSettings } from '../../src/services/checkSettings.ts'
import { deployedFirebase, NotAnswered, wantedIndexes } from './deployed.ts'
import { continentOfDatabase, continentOfFunctions, regionFor } from './places.ts'
import { remedyOf } from './remedies.ts'
import { headerDifferences } from './siteHeaders.ts'

const ROOT = join(import.meta.dirname, '../..')

/** How late the sweep, which comes every quarter of an hour, may be before something is wrong, in milliseconds. */
const SWEEP_LATE = 3_600_000
const DAY = 24 * 3_600_000
const ANSWER_WITHIN = 10_000

type Variables = Readonly<Record<string, string | undefined>>

/** `unknown`: it could not be looked at. `said` and `remedy` are whole sentences, and hold no secret. */
export interface Finding {
  readonly verdict: 'good' | 'bad' | 'unknown'
  readonly said: string
  readonly remedy?: string
}

const good = (said: string): Finding => ({ verdict: 'good', said })
const bad = (said: string, remedy: string): Finding => ({ verdict: 'bad', said, remedy })
/** Nothing has to be mended: it can be had, or not. */
const hint = (said: string, remedy: string): Finding => ({ verdict: 'good', said, remedy })
const unknown = (said: string, remedy: string): Finding => ({ verdict: 'unknown', said, remedy })

const REBUILD = 'Rebuild the records: npm run ops -- payments rebuild (docs/running.md, Restoring).'

interface Patient {
  readonly context: Context
  readonly settings: Settings
  /** Where the app and its functions are, without a slash at the end; null when nobody said. */
  readonly site: string | null
  /** Nobody pays anything there. */
  readonly isSandbox: boolean
}

/**
 * Looks at everything that has to be set up for the product to work, and changes nothing. Every problem is found at once,
 * except that services can only be asked once the functions' settings can be read.
 *
 * @param variables the settings of the app and of the functions, as they are in the environment of the deployment.
 * @param site the origin of the deployment.
 * @param now UTC ms.
 */
export async function diagnose(
  variables: Variables,
  { site, now = Date.now }: { readonly site: string | null; readonly now?: () => number },
): Promise<readonly Finding[]> {
  const isDeployed = site?.startsWith('https://') === true
  const settings = functionSettings({ ...variables, ...(isDeployed && { CONTEXT: 'production' }) })
  const ofApp = appFindings(variables, isDeployed)
  if (Array.isArray(settings))
    return [
      ...settings,
      ...ofApp,
      unknown('Firebase and Stripe were not asked.', 'Mend the settings first, then ask again.'),
    ]
  const isSandbox = emulatorSettings(variables).length > 0
  const patient: Patient = { settings, site, isSandbox, context: createContext(settings, { now }) }
  try {
    const examined = EXAMINATIONS.map(async ([what, examine]) => {
      try {
        return await examine(patient)
      } catch (error) {
        return [failure(what, error)]
      }
    })
    return [
      good('The settings of the functions are all there and well formed.'),
      ...ofApp,
      ...(await Promise.all(examined)).flat(),
    ]
  } finally {
    await patient.context.db.terminate()
  }
}

function functionSettings(variables: Variables): Settings | Finding[] {
  try {
    return readSettings(variables)
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error
    return error.problems.map((problem) => bad(`${problem}.`, remedyOf(problem.split(' ')[0] ?? '')))
  }
}

/** What the app was built with, and whether it is about the same services as the functions. */
function appFindings(variables: Variables, isDeployed: boolean): Finding[] {
  const malformed = checkSettings(variables).map(({ setting, kind }) =>
    bad(`${setting} is ${kind}.`, remedyOf(setting)),
  )
  const pairs = [
    ['FIREBASE_PROJECT_ID', 'VITE_FIREBASE_PROJECT_ID'],
    ['FIREBASE_STORAGE_BUCKET', 'VITE_FIREBASE_STORAGE_BUCKET'],
  ] as const
  const different = pairs
    .filter(([one, other]) => variables[one] && variables[other] && variables[one] !== variables[other])
    .map(([one, other]) =>
      bad(`${one} and ${other} name different things.`, 'Give both the value of one Firebase project.'),
    )
  const account = projectOfAccount(variables.FIREBASE_SERVICE_ACCOUNT)
  if (account !== null && variables.FIREBASE_PROJECT_ID && account !== variables.FIREBASE_PROJECT_ID)
    different.push(
      bad(
        'FIREBASE_SERVICE_ACCOUNT is of another project than FIREBASE_PROJECT_ID.',
        remedyOf('FIREBASE_SERVICE_ACCOUNT'),
      ),
    )
  const pretending = isDeployed ? emulatorSettings(variables) : []
  const findings = [
    ...malformed,
    ...different,
    ...pretending.map((name) =>
      bad(
        `${name} points the app to an emulator or a sandbox.`,
        'Take it out of the settings and build again.',
      ),
    ),
  ]
  return findings.length > 0
    ? findings
    : [good('The settings of the app are all there, well formed, and of the same project.')]
}

function projectOfAccount(text: string | undefined): string | null {
  try {
    const { project_id: project } = JSON.parse(text ?? '') as { project_id?: unknown }
    return typeof project === 'string' ? project : null
  } catch {
    return null
  }
}

type Examine = (patient: Patient) => Promise<readonly Finding[]>

const EXAMINATIONS: readonly (readonly [what: string, examine: Examine])[] = [
  ['The rules of the database', ({ settings }) => rulesOf(settings, 'cloud.firestore', 'firestore')],
  [
    'The rules of the storage',
    ({ settings }) => rulesOf(settings, `firebase.storage/${settings.storageBucket}`, 'storage'),
  ],
  ['The indexes of the database', indexes],
  ['The settings of the sign-in', signIn],
  ['The database', sweepRuns],
  ['The payments', paymentsOpen],
  ['The deliveries', deliveriesGoOn],
  ['The notifications', notifications],
  ['The people', restricted],
  ['The prices of the plans', prices],
  ['The payment methods', paymentMethods],
  ['The wallets', wallets],
  ['The webhook at Stripe', webhookEndpoint],
  ['The headers of the site', siteHeaders],
  ['The legal pages', legalTexts],
  ['The functions', functionsAnswer],
  ['The places of the database and the functions', places],
  ['The webhook of the site', webhookReachable],
]

async function rulesOf(
  settings: Settings,
  service: string,
  name: 'firestore' | 'storage',
): Promise<Finding[]> {
  const file = `firebase/${name}.rules`
  const remedy = `Run 'npx firebase-tools deploy --only ${name}' from this commit, or go back to the commit that was deployed.`
  const inForce = await deployedFirebase(settings).rules(service)
  if (inForce === null) return [bad(`No rules are in force for ${service}.`, remedy)]
  return inForce === readFileSync(join(ROOT, file), 'utf8')
    ? [good(`The rules in force for ${service} are ${file}.`)]
    : [bad(`The rules in force for ${service} are not ${file}.`, remedy)]
}

async function indexes({ settings }: Patient): Promise<Finding[]> {
  const wanted = wantedIndexes(readFileSync(join(ROOT, 'firebase/firestore.indexes.json'), 'utf8'))
  const there = new Map((await deployedFirebase(settings).indexes()).map((index) => [index.name, index]))
  const findings = wanted.flatMap((name) => {
    const index = there.get(name)
    if (!index)
      return bad(
        `The database has no index for ${name}.`,
        "Run 'npx firebase-tools deploy --only firestore:indexes' and wait until it is built.",
      )
    return index.isReady
      ? []
      : bad(
          `The index for ${name} is not ready.`,
          'Wait until it is built; the Firebase console shows an error if it failed.',
        )
  })
  return findings.length > 0
    ? findings
    : [good(`The ${wanted.length} indexes of the database are there and ready.`)]
}

/** How people come in, as far as the console's settings say. */
async function signIn({ settings, site }: Patient): Promise<Finding[]> {
  const { protectsAddresses, byEmail, byPhone, domains, mayMessage } =
    await deployedFirebase(settings).signIn()
  // Both are good; which one it is decides what somebody reads who mistyped an address: docs/deploying.md, Firebase.
  const protection = good(
    protectsAddresses
      ? 'The protection against e-mail enumeration is on: an unknown address and a wrong password are told alike.'
      : 'The protection against e-mail enumeration is off: an unknown address leads to the sign-up.',
  )
  const findings: Finding[] = []
  for (const [way, isOn] of [
    ['Email/Password', byEmail],
    ['Phone', byPhone],
  ] as const)
    if (!isOn)
      findings.push(
        bad(
          `The sign-in method ${way} is off.`,
          `In the Firebase console, Authentication, Sign-in method: switch ${way} on.`,
        ),
      )
  const host = site && new URL(site).hostname
  if (host && !domains.includes(host))
    findings.push(
      bad(
        `${host} is not among the authorized domains: nobody gets a code by text message there.`,
        `In the Firebase console, Authentication, Settings, Authorized domains: add ${host}.`,
      ),
    )
  const policy =
    'In the Firebase console, Authentication, Settings, SMS region policy: allow France, Canada and Guinea.'
  if (mayMessage === null)
    findings.push(unknown('Nobody chose which countries text messages may go to.', policy))
  const closed = DESTINATIONS.filter(({ code }) => mayMessage?.(code) === false).map(({ name }) => name)
  if (closed.length > 0) findings.push(bad(`Text messages may not go to ${closed.join(', ')}.`, policy))
  return findings.length > 0
    ? [protection, ...findings]
    : [protection, good('People can sign in by e-mail and by phone, as far as the settings say.')]
}

/** What a sweep that runs would have taken up by now. Also shows that the database answers. */
async function sweepRuns({ context }: Patient): Promise<Finding[]> {
  const { db, now } = context
  const late = now() - SWEEP_LATE
  const [owed, ...overdue] = await Promise.all([
    withStatus(refunds(db), 'due', late).limit(100).get(),
    withCheck(refunds(db), late).limit(1).get(),
    withStatus(attempts(db), 'reserved', late - ATTEMPT_LIFETIME)
      .limit(1)
      .get(),
    withCheck(customers(db), late).limit(1).get(),
    withStatus(deletions(db), 'due', late - TOKENS_OUTLIVE)
      .limit(1)
      .get(),
  ])
  // A refund that is under way waits for the bank, for days at times, and not for the sweep.
  const isBegun = owed.docs.every((debt) => debt.get('refundId') !== null)
  const answers = good('The database answers the service account.')
  return isBegun && overdue.every(({ empty }) => empty)
    ? [answers, good('Nothing waits for the sweep for longer than it should.')]
    : [
        answers,
        bad(
          'Payments, refunds, plans or deletions wait for the sweep for more than an hour.',
          "See in Netlify, Logs, Functions, whether 'sweep' is scheduled and what it says: docs/running.md, The sweep.",
        ),
      ]
}

const CLOSED: Record<WhyClosed, readonly [because: string, remedy: string]> = {
  unknownPayment: ['Stripe has payments that the database does not know', REBUILD],
  unknownPlan: ['Stripe has a plan that the database does not know', REBUILD],
  rebuilding: ['the records are being rebuilt', REBUILD],
  byHand: [
    'somebody closed them by hand',
    'Open them when it is time: npm run ops -- payments open (docs/running.md, Closing payments).',
  ],
}

/** Whether people can pay, and whose payments the Stripe account has. */
async function paymentsOpen({ context }: Patient): Promise<Finding[]> {
  const [{ closed }, unknown, latest] = await Promise.all([
    paymentsState(context),
    unknownPayments(context.db).limit(100).get(),
    context.stripe.paymentIntents.list({ limit: 100 }),
  ])
  const ours = latest.data.filter((intent) => isAttemptIntent(context, intent))
  const missing = new Set(unknown.docs.map(({ id }) => id))
  for (const { id } of await unknownAmong(context, ours)) missing.add(id)
  const findings: Finding[] = []
  if (closed) {
    const [because, remedy] = CLOSED[closed.why]
    findings.push(bad(`Nobody can pay since ${minute(closed.since)}: ${because}.`, remedy))
  } else findings.push(good('Payments are open.'))
  if (missing.size > 0)
    findings.push(
      bad(
        `The database knows no attempt for ${[...missing].join(', ')}.`,
        `${REBUILD} One that stays after that: npm run ops -- explain.`,
      ),
    )
  const others = new Set(latest.data.map(({ metadata }) => metadata.deployment ?? context.deployment))
  others.delete(context.deployment)
  if (others.size > 0)
    findings.push(
      good(`The Stripe account also has payments of ${[...others].join(', ')}, which are left alone.`),
    )
  return findings
}

/** Whether they are of one pair the settings have said. */
async function notifications({ context, settings: { push } }: Patient): Promise<Finding[]> {
  if (push !== null)
    return [good('Who wants it is told with the app closed: the keys are there, and of one pair.')]
  // Where nobody pays out there is nothing to tell.
  if (context.providers.length === 0) return []
  return [
    hint(
      'Nobody is told with the app closed that a transfer has arrived.',
      "Make keys for it: 'npx web-push generate-vapid-keys' (docs/deploying.md, Notifications).",
    ),
  ]
}

/** Nothing is said where nobody pays out. */
export async function deliveriesGoOn({ context }: Pick<Patient, 'context'>): Promise<Finding[]> {
  const { db, now, providers, namesHolders } = context
  const nobodys = await unattended(context, 100)
  const forgotten =
    nobodys === 0
      ? []
      : [
          bad(
            `${nobodys} deliveries belong to a provider that the settings name no more.`,
            'Name it again in DELIVERY_PROVIDERS, last, until it has none left (docs/running.md, Paying out).',
          ),
        ]
  if (providers.length === 0) return forgotten
  const late = now() - SWEEP_LATE
  const longIn = async (...states: readonly DeliveryState[]) => {
    const orders = deliveries(db)
      .where('state', 'in', states)
      .where('since', '<=', now() - DAY)
    return (await orders.orderBy('since').limit(100).get()).size
  }
  const handedOver = await longIn('handingOver', 'handedOver')
  const [claimed, held] = [await longIn('claimed'), await longIn('held')]
  const [overdue, waiting, byHand] = await Promise.all([
    withCheck(deliveries(db), late).limit(1).get(),
    deliveries(db).where('state', '==', 'waiting').limit(100).get(),
    deliveries(db)
      .where('isByHand', '==', true)
      .where('state', '==', 'due')
      .where('createdAt', '<=', now() - DAY)
      .orderBy('createdAt')
      .limit(100)
      .get(),
  ])
  const balances = await Promise.all(
    providers.map(async ({ name, api }) => {
      if (!api) return []
      const balance = await api.balance('GNF')
      return balance
        ? good(`The account at ${name} has ${formatMoney(balance, 'en')}.`)
        : bad(
            `${name} does not say what our account there has.`,
            `See the settings of ${name}: docs/deploying.md.`,
          )
    }),
  )
  return [
    good(`Transfers are paid out by ${providers.map(({ name }) => name).join(', ')}.`),
    ...balances.flat(),
    ...providers
      .filter(({ api }) => namesHolders && api?.holder)
      .map(({ name }) => good(`People are told by ${name} whose wallet a number is (VITE_HOLDER_NAMES).`)),
    ...(overdue.empty
      ? []
      : [bad('Deliveries wait for the sweep for more than an hour.', 'See docs/running.md, The sweep.')]),
    ...(waiting.empty
      ? []
      : [
          bad(
            `${waiting.size} deliveries wait for something of ours.`,
            'Fill the account, or mend what they say: npm run ops -- deliveries list (docs/running.md, Paying out).',
          ),
        ]),
    ...(byHand.empty
      ? []
      : [
          bad(
            `${byHand.size} transfers are due to be paid by hand since yesterday or before.`,
            'Pay them: npm run ops -- deliveries claim (docs/running.md, Paying out).',
          ),
        ]),
    ...forgotten,
    ...forLong(handedOver, 'are with a provider', 'Ask the provider by their references'),
    ...forLong(claimed, 'are in the hand of somebody who has not said what became of them', 'Ask them'),
    ...forLong(held, 'are held', 'Look why, and release them or give them back'),
  ]
}

/** `what` is said of orders that stand where they do for more than a day. */
const forLong = (orders: number, what: string, todo: string): Finding[] =>
  orders
    ? [
        bad(
          `${orders} deliveries ${what} for more than a day.`,
          `${todo}: npm run ops -- deliveries list (docs/running.md, Paying out).`,
        ),
      ]
    : []

/** UTC ms as '2026-11-20 12:00 UTC'. */
const minute = (at: number) => `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC`

/** Whom nobody lets pay, and what a bank wants an answer to. */
async function restricted({ context }: Patient): Promise<Finding[]> {
  const [paused, disputes] = await Promise.all([
    restrictions(context.db).where('since', '>', 0).get(),
    context.stripe.disputes.list({ limit: 100 }),
  ])
  const people = new Set(paused.docs.map((document) => document.get('uid'))).size
  const waiting = disputes.data.filter(({ status }) => /^(warning_|appeal_)?needs_response$/.test(status))
  return [
    good(`Payments are paused for ${people} people.`),
    waiting.length > 0
      ? bad(
          `The bank waits for an answer to ${waiting.length} disputes.`,
          'Bring the evidence to Stripe, Disputes, or accept them: docs/running.md, Stopping a person.',
        )
      : good('No dispute waits for an answer.'),
  ]
}

async function prices({ context }: Patient): Promise<Finding[]> {
  const tiers = Object.keys(PLANS) as Tier[]
  const { data } = await context.stripe.prices.list({
    lookup_keys: tiers.map((tier) => LOOKUP_KEYS[tier]),
    active: true,
  })
  return tiers.map((tier) => {
    const shown = PLANS[tier].price
    const key = LOOKUP_KEYS[tier]
    const asked = `${formatMoney(shown, 'en')} each month`
    const price = data.find((one) => one.lookup_key === key)
    const remedy = `In Stripe, Product catalogue, give the product a recurring price of ${asked} with the lookup key '${key}' (docs/deploying.md, Stripe).`
    if (!price) return bad(`Stripe has no active price with the lookup key '${key}'.`, remedy)
    return isAsShown(price, tier)
      ? good(`The price '${key}' is ${asked}.`)
      : bad(`The price '${key}' is not ${asked}, which the app shows; the plan is not sold.`, remedy)
  })
}

/** What the functions ask for: cards. To Stripe these wallets are cards too, which it shows where a device has them. */
const CARDS = ['card', 'cartes_bancaires', 'apple_pay', 'google_pay']
const WALLETS = { apple_pay: 'Apple Pay', google_pay: 'Google Pay' } as const
const walletNames = Object.values(WALLETS).join(' and ')

async function paymentMethods({ context }: Patient): Promise<Finding[]> {
  const all = await context.stripe.paymentMethodConfigurations.list({ limit: 100 })
  const configuration = all.data.find(({ active, is_default: isDefault }) => active && isDefault)
  const on = Object.entries(configuration ?? {}).flatMap(([name, method]) => (isOffered(method) ? name : []))
  const others = on.filter((name) => !CARDS.includes(name))
  const remedy = `In Stripe, Settings, Payment methods: switch cards, ${walletNames} on and everything else off.`
  if (!on.includes('card')) return [bad('Stripe offers no cards.', remedy)]
  return others.length > 0
    ? [bad(`Beside cards Stripe offers ${others.join(', ')}, which the app is not made for.`, remedy)]
    : [good('Stripe offers cards, and nothing else.'), ...walletsOff(on)]
}

/** Without them people type their card, which is no fault. */
function walletsOff(on: readonly string[]): Finding[] {
  const off = Object.entries(WALLETS).flatMap(([name, said]) => (on.includes(name) ? [] : said))
  const remedy = 'To offer them: in Stripe, Settings, Payment methods, switch them on.'
  return off.length > 0 ? [hint(`Nobody can pay with ${off.join(' or ')} here.`, remedy)] : []
}

/** Stripe shows wallets on domains that were registered with it, over https. */
export async function wallets({ context, site }: Pick<Patient, 'context' | 'site'>): Promise<Finding[]> {
  if (!site?.startsWith('https://')) return []
  const { hostname: domain_name } = new URL(site)
  const { data } = await context.stripe.paymentMethodDomains.list({ domain_name, limit: 1 })
  const [domain] = data
  const remedy = `To offer them: in Stripe, Settings, Payment method domains, add and enable ${domain_name} (docs/deploying.md, Stripe).`
  if (!domain?.enabled)
    return [hint(`${walletNames} are shown to nobody: ${domain_name} is not registered for them.`, remedy)]
  return Object.entries(WALLETS).map(([name, said]) => {
    const { status, status_details: details } = domain[name as keyof typeof WALLETS]
    return status === 'active'
      ? good(`${said} is shown on ${domain_name} to devices that have it.`)
      : hint(`${said} is shown to nobody on ${domain_name}: ${details?.error_message ?? status}.`, remedy)
  })
}

const isOffered = (method: unknown) =>
  (method as { display_preference?: { value?: unknown } } | null)?.display_preference?.value === 'on'

async function webhookEndpoint({ context, site }: Patient): Promise<Finding[]> {
  if (site === null) return [noSite('the webhook at Stripe')]
  const address = webhookOf(site)
  const remedy = `In Stripe, Developers, Webhooks: an endpoint for ${address} with the events ${WEBHOOK_EVENTS.join(', ')}.`
  const known = await context.stripe.webhookEndpoints.list({ limit: 100 }).autoPagingToArray({ limit: 1000 })
  const endpoint = known.find(({ url }) => url === address)
  if (!endpoint) return [bad(`Stripe sends no events to ${address}.`, remedy)]
  if (endpoint.status !== 'enabled')
    return [bad(`The webhook ${endpoint.id} is disabled.`, 'Enable it in Stripe, Developers, Webhooks.')]
  const { enabled_events: events } = endpoint
  const missing = events.includes('*') ? [] : WEBHOOK_EVENTS.filter((event) => !events.includes(event))
  const findings: Finding[] = []
  if (missing.length > 0)
    findings.push(bad(`The webhook ${endpoint.id} leaves out ${missing.join(', ')}.`, remedy))
  // Within a release, versions differ by additions only.
  if (releaseOf(endpoint.api_version) !== releaseOf(Stripe.API_VERSION))
    findings.push(
      bad(
        `The webhook ${endpoint.id} speaks another version of Stripe's API than the functions.`,
        `Make it anew with the version ${Stripe.API_VERSION}, and put its new secret into STRIPE_WEBHOOK_SECRET.`,
      ),
    )
  return findings.length > 0
    ? findings
    : [good(`Stripe sends ${WEBHOOK_EVENTS.length} kinds of events to ${address}.`)]
}

const releaseOf = (version: string | null) => version?.split('.')[1] ?? null

/** The pages that the site serves with headers of their own. */
const PAGES = ['/', '/google-sign-in.html']

/** Hashes of the painted page are the build's own: that they are the right ones shows in the browser alone. */
async function siteHeaders({ site }: Patient): Promise<Finding[]> {
  if (site === null) return [noSite('the headers of the site')]
  const rules = parseHeaders(readFileSync(join(ROOT, 'public/_headers'), 'utf8'))
  const remedy =
    "Deploy this commit. If that does not help, something between Netlify and the browser changes headers: a plugin, headers in Netlify's settings, or a proxy."
  const found = await Promise.all(
    PAGES.map(async (page) => {
      const { ok, status, headers } = await ask(`${site}${page}`, { method: 'GET' })
      if (!ok) return [bad(`There is no page ${page} at ${site} (it answered ${status}).`, remedy)]
      const different = headerDifferences(headersFor(rules, page), headers, site.startsWith('https://'))
      return different.length > 0
        ? [
            bad(
              `The headers of ${site}${page} are not those of public/_headers: ${different.join('; ')}.`,
              remedy,
            ),
          ]
        : []
    }),
  )
  const problems = found.flat()
  return problems.length > 0
    ? problems
    : [good(`The pages at ${site} come with the headers of public/_headers.`)]
}

/** What the law wants to be seen has to be the operator's own: a template says so of itself on the page. */
async function legalTexts({ site, isSandbox }: Patient): Promise<Finding[]> {
  if (site === null) return [noSite('the legal pages')]
  const addresses = LANGUAGES.flatMap((language) => LEGAL_PAGES.map((page) => legalAddress(page, language)))
  const found = await Promise.all(
    addresses.map(async (address) => {
      const answer = await ask(`${site}${address}`, { method: 'GET' })
      const file = address.replace(/^\/(.*)html$/, '$1txt')
      if (!answer.ok)
        return [
          bad(
            `There is no page ${address} at ${site} (it answered ${answer.status}).`,
            'Deploy this commit.',
          ),
        ]
      const isTemplate = (await answer.text()).includes('data-template')
      return isTemplate && !isSandbox
        ? [
            bad(
              `The page ${address} is a template that nobody has reviewed.`,
              `Replace the text in ${file}, take its first line away and deploy again (docs/deploying.md, Legal pages).`,
            ),
          ]
        : []
    }),
  )
  const problems = found.flat()
  if (problems.length > 0) return problems
  return [
    good(
      `The ${addresses.length} legal pages at ${site} are there${isSandbox ? '; a sandbox may show templates' : ''}.`,
    ),
  ]
}

/** Each function is asked with a method that none of them takes: it refuses that once it could read its settings. */
async function functionsAnswer({ site }: Patient): Promise<Finding[]> {
  if (site === null) return [noSite('the functions')]
  const findings = await Promise.all(
    functionNames().map(async (name) => {
      const { status } = await ask(`${site}${pathOf(name)}`, { method: 'PATCH' })
      if (status === 405) return []
      return status === 503
        ? bad(
            `The function ${name} does not run with the settings that it has there.`,
            `See in Netlify, Logs, Functions, ${name}: the line with "problems" names them. Settings count from the next deploy on.`,
          )
        : bad(
            `There is no function ${name} at ${site} (it answered ${status}).`,
            'Deploy this commit; the deploy log of Netlify lists the functions that it packed.',
          )
    }),
  )
  const problems = findings.flat()
  return problems.length > 0
    ? problems
    : [good(`The functions at ${site} answer, and could read their settings.`)]
}

/** A function asks the database one thing after the other, and each goes there and back before the next. */
async function places({ settings, site }: Patient): Promise<Finding[]> {
  if (site === null) return [noSite('the region of the functions')]
  const [location, { headers }] = await Promise.all([
    deployedFirebase(settings).location(),
    ask(`${site}/.netlify/functions/record-transfer`, { method: 'PUT' }),
  ])
  const region = headers.get('server-region')
  if (region === null)
    return [
      unknown(
        `The database is in ${location}; the functions do not say where they run.`,
        'Deploy this commit, then ask again.',
      ),
    ]
  const [ofDatabase, ofFunctions] = [continentOfDatabase(location), continentOfFunctions(region)]
  if (ofDatabase === null || ofFunctions === null)
    return [
      unknown(
        `The database is in ${location}, the functions run in ${region}: nobody here knows how far apart that is.`,
        'Look at a map; docs/deploying.md, Netlify, says which region is chosen where.',
      ),
    ]
  if (ofDatabase === ofFunctions)
    return [good(`The database (${location}) and the functions (${region}) are both in ${ofDatabase}.`)]
  const wanted = regionFor(ofDatabase) ?? 'the nearest'
  return [
    bad(
      `The database is in ${ofDatabase} (${location}), and the functions run in ${ofFunctions} (${region}): every question goes that way and back.`,
      `In Netlify, Project configuration, Build & deploy, Continuous deployment, Functions region: choose ${wanted}, and deploy again. The database can't be moved.`,
    ),
  ]
}

/** All but those that run by the clock, which have no address. */
const functionNames = () =>
  globSync('*.ts', { cwd: join(ROOT, 'netlify/functions'), exclude: ['*.test.ts', 'sweep.ts'] }).map((file) =>
    basename(file, '.ts'),
  )

/** An event of a kind that is ignored, signed as Stripe would sign it with the secret of these settings. */
async function webhookReachable({ context, settings, site }: Patient): Promise<Finding[]> {
  if (site === null) return [noSite('the webhook of the site')]
  const { stripe, now } = context
  const payload = JSON.stringify({
    id: 'evt_doctor',
    object: 'event',
    type: 'passerelle.doctor',
    data: { object: {} },
  })
  const signature = stripe.webhooks.generateTestHeaderString({
    payload,
    secret: settings.stripeWebhookSecret,
    timestamp: Math.floor(now() / 1000),
  })
  const { status } = await ask(webhookOf(site), {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'stripe-signature': signature },
    body: payload,
  })
  if (status === 200)
    return [good('The webhook of the site takes an event that is signed with STRIPE_WEBHOOK_SECRET.')]
  if (status === 400)
    return [
      bad(
        'The webhook of the site refuses an event that is signed with STRIPE_WEBHOOK_SECRET.',
        "Put the signing secret of Stripe's endpoint into Netlify's setting and into these, and deploy again.",
      ),
    ]
  return [
    bad(`The webhook of the site answered ${status}.`, "See in Netlify, Logs, Functions, 'stripe-webhook'."),
  ]
}

const webhookOf = (site: string) => `${site}/.netlify/functions/stripe-webhook`

const noSite = (what: string) =>
  unknown(`Nobody looked at ${what}.`, 'Say where the app is: npm run ops -- doctor --site https://…')

const ask = (address: string, init: RequestInit) =>
  fetch(address, { ...init, redirect: 'manual', signal: AbortSignal.timeout(ANSWER_WITHIN) })

/** What somebody can do about a service that failed. Messages of the SDKs stay out: they quote what was asked. */
export function failure(what: string, error: unknown): Finding {
  if (error instanceof Stripe.errors.StripeAuthenticationError)
    return bad(`${what}: Stripe does not accept STRIPE_SECRET_KEY.`, remedyOf('STRIPE_SECRET_KEY'))
  if (error instanceof Stripe.errors.StripePermissionError)
    return unknown(
      `${what}: the key in STRIPE_SECRET_KEY may not ask.`,
      'Give the restricted key the permission to read it.',
    )
  const status = error instanceof NotAnswered ? error.status : (error as { code?: unknown }).code
  if (status === 401 || status === 16 || (error as { code?: unknown }).code === 'app/invalid-credential')
    return bad(`${what}: Firebase does not accept the service account.`, remedyOf('FIREBASE_SERVICE_ACCOUNT'))
  if (status === 403 || status === 7)
    return unknown(
      `${what}: the service account may not ask.`,
      "Give it the roles 'Firebase Rules Viewer', 'Cloud Datastore Viewer' and 'Firebase Authentication Viewer' in Google Cloud, IAM.",
    )
  const { name, cause } = error as { name?: string; cause?: { code?: unknown } }
  return bad(
    `${what}: no usable answer (${[name, cause?.code ?? status].filter(Boolean).join(' ')}).`,
    'See that the address is right and the service is up; then ask again.',
  )
}

/** The finding as lines for a terminal. */
export function linesOf({ verdict, said, remedy }: Finding): string[] {
  const sign = { good: 'ok      ', bad: 'WRONG   ', unknown: 'UNKNOWN ' }[verdict]
  return [`${sign}${said}`, ...(remedy ? [`        ${remedy}`] : [])]
}
