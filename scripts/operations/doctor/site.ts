import { globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { LEGAL_PAGES, legalAddress } from '../../../domain/legal.ts'
import { pathOf } from '../../../netlify/server/platform/registry.ts'
import { headersFor, parseHeaders } from '../../../sandbox/headers.ts'
import { LANGUAGES } from '../../../src/browser/storedLanguage.ts'
import { bad, type Check, type Finding, good, orElse, type Subject, siteCheck, unknown } from './findings.ts'
import { fetchResource } from './firebaseApi.ts'

export const siteChecks: readonly Check[] = [
  siteCheck('The headers of the site', checkHeaders),
  siteCheck('The legal pages', checkLegalPages),
  siteCheck('The functions', checkFunctions),
  siteCheck('The regions of the database and the functions', checkRegions),
  siteCheck('The webhook of the site', checkWebhookSecret),
]

const ROOT = join(import.meta.dirname, '../../..')

const request = (address: string, init?: RequestInit) =>
  fetch(address, { ...init, redirect: 'manual', signal: AbortSignal.timeout(10_000) })

/** The pages that the site serves with headers of their own. */
const PAGES = ['/', '/google-sign-in.html']

async function checkHeaders(site: string): Promise<readonly Finding[]> {
  const rules = parseHeaders(readFileSync(join(ROOT, 'public/_headers'), 'utf8'))
  const remedy =
    "Deploy this commit. If that does not help, something between Netlify and the browser changes headers: a plugin, headers in Netlify's settings, or a proxy."
  const problems = await Promise.all(
    PAGES.map(async (page) => {
      const { ok, status, headers } = await request(`${site}${page}`)
      if (!ok) return bad(`There is no page ${page} at ${site} (it answered ${status}).`, remedy)
      const different = compareHeaders(headersFor(rules, page), headers, site.startsWith('https://'))
      if (different.length === 0) return null
      const said = `The headers of ${site}${page} are not those of public/_headers: ${different.join('; ')}.`
      return bad(said, remedy)
    }),
  )
  return orElse(problems, `The pages at ${site} come with the headers of public/_headers.`)
}

/** A sandbox serves plain http, and allows its emulators in the policy besides the services. */
function compareHeaders(wanted: ReadonlyMap<string, string>, served: Headers, isDeployed: boolean): string[] {
  return [...wanted].flatMap(([name, value]) => {
    if (name === 'strict-transport-security' && !isDeployed) return []
    const found = served.get(name)
    if (found === null) return [`${name} is missing`]
    if (name !== 'content-security-policy')
      return formatCommas(found) === formatCommas(value) ? [] : [`${name} is '${found}'`]
    const [asked, given] = [parsePolicy(value), parsePolicy(found)]
    const added = [...given].filter(
      (entry) =>
        !asked.has(entry) && !ADDED_BY_BUILD.test(entry) && (isDeployed || !entry.includes(' http://')),
    )
    return [
      ...[...asked].filter((entry) => !given.has(entry)).map((entry) => `the policy lacks ${entry}`),
      ...added.map((entry) => `the policy adds ${entry}`),
    ]
  })
}

/** Netlify may serve lists with or without spaces. */
const formatCommas = (value: string) => value.replace(/\s*,\s*/g, ', ').trim()

/** The build adds hashes of the prerendered page's script and styles. */
const ADDED_BY_BUILD = / '(sha256-[\w+/=]+|unsafe-hashes)'$/

/** Splits a policy into pairs such as "script-src 'self'". */
const parsePolicy = (policy: string): Set<string> =>
  new Set(
    policy.split(';').flatMap((directive) => {
      const [name, ...sources] = directive.trim().split(/\s+/)
      return sources.length > 0 ? sources.map((source) => `${name} ${source}`) : [name ?? '']
    }),
  )

async function checkLegalPages(site: string, { isSandbox }: Subject): Promise<readonly Finding[]> {
  const addresses = LANGUAGES.flatMap((language) => LEGAL_PAGES.map((page) => legalAddress(page, language)))
  const problems = await Promise.all(
    addresses.map(async (address) => {
      const response = await request(`${site}${address}`)
      if (!response.ok)
        return bad(
          `There is no page ${address} at ${site} (it answered ${response.status}).`,
          'Deploy this commit.',
        )
      if (isSandbox || !(await response.text()).includes('data-template')) return null
      return bad(
        `The page ${address} is a template that nobody has reviewed.`,
        `Replace the text in ${address.replace(/^\/(.*)html$/, '$1txt')}, remove its first line and deploy again (docs/deploying.md, Legal pages).`,
      )
    }),
  )
  return orElse(problems, `The ${addresses.length} legal pages at ${site} are there.`)
}

/** A function refuses an unknown method only after it has read its settings. The sweep has no address. */
async function checkFunctions(site: string): Promise<readonly Finding[]> {
  const files = globSync('*.ts', { cwd: join(ROOT, 'netlify/functions'), exclude: ['*.test.ts', 'sweep.ts'] })
  const problems = await Promise.all(
    files.map(async (file) => {
      const name = basename(file, '.ts')
      const { status } = await request(`${site}${pathOf(name)}`, { method: 'PATCH' })
      if (status === 405) return null
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
  return orElse(problems, `The functions at ${site} answer, and could read their settings.`)
}

/** Each payment makes several database calls in sequence, so the functions must run near the database. */
async function checkRegions(site: string, { settings }: Subject): Promise<readonly Finding[]> {
  const database = `projects/${settings.projectId}/databases/(default)`
  const [{ locationId: location }, { headers }] = await Promise.all([
    fetchResource<{ locationId: string }>(settings, 'firestore', database),
    request(`${site}${pathOf('record-transfer')}`, { method: 'PATCH' }),
  ])
  const region = headers.get('server-region')
  if (region === null)
    return [
      unknown(
        `The database is in ${location}; the functions do not say where they run.`,
        'Deploy this commit, then ask again.',
      ),
    ]
  return location.startsWith('eu') && region.startsWith('eu-')
    ? [good(`The database (${location}) and the functions (${region}) are both in Europe.`)]
    : [
        bad(
          `The database is in ${location} and the functions run in ${region}: both should be in Europe.`,
          "In Netlify, Project configuration, Build & deploy, Continuous deployment, Functions region: choose fra (Frankfurt), and deploy again. The database can't be moved.",
        ),
      ]
}

export const webhookAddress = (site: string): string => `${site}${pathOf('stripe-webhook')}`

/** Sends an ignored event, signed as Stripe would sign it with the secret of these settings. */
async function checkWebhookSecret(site: string, { context, settings }: Subject): Promise<readonly Finding[]> {
  const payload = JSON.stringify({
    id: 'evt_doctor',
    object: 'event',
    type: 'passerelle.doctor',
    data: { object: {} },
  })
  const signature = context.stripe.webhooks.generateTestHeaderString({
    payload,
    secret: settings.stripeWebhookSecret,
    timestamp: Math.floor(context.now() / 1000),
  })
  const { status } = await request(webhookAddress(site), {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'stripe-signature': signature },
    body: payload,
  })
  switch (status) {
    case 200:
      return [good('The webhook of the site accepts an event that is signed with STRIPE_WEBHOOK_SECRET.')]
    case 400:
      return [
        bad(
          'The webhook of the site refuses an event that is signed with STRIPE_WEBHOOK_SECRET.',
          "Put the signing secret of Stripe's endpoint into Netlify's setting and into these, and deploy again.",
        ),
      ]
    default:
      return [
        bad(
          `The webhook of the site answered ${status}.`,
          "See in Netlify, Logs, Functions, 'stripe-webhook'.",
        ),
      ]
  }
}
