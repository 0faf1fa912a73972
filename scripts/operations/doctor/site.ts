import { globSync } from 'node:fs'
import { basename, join } from 'node:path'
import * as v from 'valibot'
import { RECEIPT_KEYS_PATH } from '../../../build/receiptKeys.ts'
import { getLegalPagePath, LEGAL_PAGES } from '../../../domain/account/legal.ts'
import { getFunctionPath } from '../../../netlify/server/endpoints/registry.ts'
import { matchHeaders, readHeaderRules } from '../../../sandbox/headers.ts'
import { LANGUAGES } from '../../../src/browser/storedLanguage.ts'
import {
  buildBadFinding,
  buildGoodFinding,
  buildUnknownFinding,
  createSiteCheck,
  type DoctorCheck,
  type DoctorSubject,
  reportFindings,
} from './findings.ts'
import { fetchResource } from './firebaseApi.ts'

export const siteChecks: readonly DoctorCheck[] = [
  createSiteCheck('The headers of the site', checkHeaders),
  createSiteCheck('Missing files', checkMissingFile),
  createSiteCheck('The legal pages', checkLegalPages),
  createSiteCheck('The keys of receipts', checkReceiptKeys),
  createSiteCheck('The functions', checkFunctions),
  createSiteCheck('The regions of the database and the functions', checkRegions),
  createSiteCheck('The webhook of the site', checkWebhookSecret),
]

const ROOT = join(import.meta.dirname, '../../..')

const request = (address: string, init?: RequestInit) =>
  fetch(address, { ...init, redirect: 'manual', signal: AbortSignal.timeout(10_000) })

const PAGES = ['/', '/google-sign-in.html', '/check-receipt.html']

async function* checkHeaders(site: string) {
  const rules = await readHeaderRules(join(ROOT, 'public/_headers'))
  const remedy =
    "Deploy this commit. If that does not help, something between Netlify and the browser changes headers: a plugin, headers in Netlify's settings, or a proxy."
  const problems = await Promise.all(
    PAGES.map(async (page) => {
      const { ok, status, headers } = await request(`${site}${page}`)
      if (!ok) return buildBadFinding(`${site} has no page ${page} (status ${status}).`, remedy)
      const different = compareHeaders(matchHeaders(rules, page), headers, site.startsWith('https://'))
      if (different.length === 0) return null
      const said = `The headers of ${site}${page} differ from public/_headers: ${different.join('; ')}.`
      return buildBadFinding(said, remedy)
    }),
  )
  yield* reportFindings(problems, `The pages at ${site} have the headers of public/_headers.`)
}

/** A sandbox serves plain http, and also allows its emulators in the policy. */
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

/** The build adds these hashes for the prerendered page. */
const ADDED_BY_BUILD = / '(sha256-[\w+/=]+|unsafe-hashes)'$/

/** Returns texts such as "script-src 'self'". */
const parsePolicy = (policy: string): Set<string> =>
  new Set(
    policy.split(';').flatMap((directive) => {
      const [name, ...sources] = directive.trim().split(/\s+/)
      return sources.length > 0 ? sources.map((source) => `${name} ${source}`) : [name ?? '']
    }),
  )

/** A page in place of a missing script breaks the app, and permanently if the page is cacheable. */
async function* checkMissingFile(site: string) {
  const file = '/assets/missing.js'
  const { status, headers } = await request(`${site}${file}`)
  const cacheControl = headers.get('cache-control') ?? ''
  yield status === 404 && !/max-age=[1-9]|immutable/.test(cacheControl)
    ? buildGoodFinding(`${site} responds to a missing file with 404, which browsers don't cache.`)
    : buildBadFinding(
        `${site} responds to the missing file ${file} with ${status} (cache-control: '${cacheControl}').`,
        "Deploy this commit. If that does not help, remove redirects and headers in Netlify's settings.",
      )
}

const publishedKeysSchema = v.object({
  keys: v.array(v.object({ key: v.string(), from: v.number(), until: v.nullable(v.number()) })),
})

/** The app verifies receipts with the keys of its build. */
async function* checkReceiptKeys(site: string, { settings }: DoctorSubject) {
  if (!settings.receipts) return
  const response = await request(`${site}${RECEIPT_KEYS_PATH}`)
  const published = v.safeParse(publishedKeysSchema, await response.json().catch(() => null))
  const format = (
    keys: readonly { readonly key: string; readonly from: number; readonly until: number | null }[],
  ) => keys.map(({ key, from, until }) => `${key}@${from}-${until ?? ''}`).join()
  const expected = format(settings.receipts.keys.map(({ encoded: key, ...years }) => ({ key, ...years })))
  yield published.success && format(published.output.keys) === expected
    ? buildGoodFinding(`${site} publishes the keys of receipts in VITE_RECEIPT_KEYS.`)
    : buildBadFinding(
        `${site}${RECEIPT_KEYS_PATH} does not have the keys in VITE_RECEIPT_KEYS, so apps refuse receipts.`,
        'Build and deploy again with the setting.',
      )
}

async function* checkLegalPages(site: string, { isSandbox }: DoctorSubject) {
  const addresses = LANGUAGES.flatMap((language) =>
    LEGAL_PAGES.map((page) => getLegalPagePath(page, language)),
  )
  const problems = await Promise.all(
    addresses.map(async (address) => {
      const response = await request(`${site}${address}`)
      if (!response.ok)
        return buildBadFinding(
          `${site} has no page ${address} (status ${response.status}).`,
          'Deploy this commit.',
        )
      if (isSandbox || !(await response.text()).includes('data-template')) return null
      return buildBadFinding(
        `The page ${address} is an unreviewed template.`,
        `Replace the text in ${address.replace(/^\/(.*)html$/, '$1txt')}, remove its first line and deploy again (docs/deploying.md, Legal pages).`,
      )
    }),
  )
  yield* reportFindings(problems, `${site} has all ${addresses.length} legal pages.`)
}

/** A function refuses an unknown method only after reading its settings. The due-work job has no URL. */
async function* checkFunctions(site: string) {
  const files = globSync('*.ts', {
    cwd: join(ROOT, 'netlify/functions'),
    exclude: ['*.test.ts', 'due-work.ts'],
  })
  const problems = await Promise.all(
    files.map(async (file) => {
      const name = basename(file, '.ts')
      const { status } = await request(`${site}${getFunctionPath(name)}`, { method: 'PATCH' })
      if (status === 405) return null
      return status === 503
        ? buildBadFinding(
            `The function ${name} can't run with its settings.`,
            `See in Netlify, Logs, Functions, ${name}: the line with "problems" names them. Settings count from the next deploy on.`,
          )
        : buildBadFinding(
            `${site} has no function ${name} (status ${status}).`,
            'Deploy this commit; the deploy log of Netlify lists the functions that it packed.',
          )
    }),
  )
  yield* reportFindings(problems, `The functions at ${site} respond, and their settings are valid.`)
}

/** Each payment makes several database calls in sequence. */
async function* checkRegions(site: string, { settings }: DoctorSubject) {
  const database = `projects/${settings.projectId}/databases/(default)`
  const [{ locationId: location }, { headers }] = await Promise.all([
    fetchResource<{ locationId: string }>(settings, 'firestore', database),
    request(`${site}${getFunctionPath('record-transfer')}`, { method: 'PATCH' }),
  ])
  const region = headers.get('server-region')
  if (region === null)
    yield buildUnknownFinding(
      `The database is in ${location}, and the functions don't report their region.`,
      'Deploy this commit, then repeat the command.',
    )
  else if (location.startsWith('eu') && region.startsWith('eu-'))
    yield buildGoodFinding(`The database (${location}) and the functions (${region}) are both in Europe.`)
  else
    yield buildBadFinding(
      `The database is in ${location} and the functions run in ${region}: both should be in Europe.`,
      "In Netlify, Project configuration, Build & deploy, Continuous deployment, Functions region: choose fra (Frankfurt), and deploy again. The database can't be moved.",
    )
}

export const getWebhookAddress = (site: string): string => `${site}${getFunctionPath('stripe-webhook')}`

/** Sends a signed event that the function ignores. */
async function* checkWebhookSecret(site: string, { context, settings }: DoctorSubject) {
  const event = { id: 'evt_doctor', object: 'event', type: 'passerelle.doctor', data: { object: {} } }
  const payload = JSON.stringify(event)
  const signature = context.stripe.webhooks.generateTestHeaderString({
    payload,
    secret: settings.stripeWebhookSecret,
    timestamp: Math.floor(context.now() / 1000),
  })
  const { status } = await request(getWebhookAddress(site), {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'stripe-signature': signature },
    body: payload,
  })
  const signed = 'an event that is signed with STRIPE_WEBHOOK_SECRET'
  if (status === 200) yield buildGoodFinding(`The webhook of the site accepts ${signed}.`)
  else if (status === 400)
    yield buildBadFinding(
      `The webhook of the site refuses ${signed}.`,
      "Set STRIPE_WEBHOOK_SECRET to the signing secret of Stripe's endpoint, in Netlify and in these settings, and deploy again.",
    )
  else
    yield buildBadFinding(
      `The webhook of the site responded with status ${status}.`,
      "See in Netlify, Logs, Functions, 'stripe-webhook'.",
    )
}
