import Stripe from 'stripe'
import type { Tier } from '../../../domain/account/profileSchema.ts'
import { PLANS } from '../../../domain/prices/plans.ts'
import { WEBHOOK_EVENTS } from '../../../netlify/server/events/events.ts'
import { isShownPrice, PRICE_LOOKUP_KEYS } from '../../../netlify/server/plans/prices.ts'
import { formatAmount } from '../format.ts'
import { fetchStripeAccount, formatStripeAccount, isSameAccount, readStoredStripeAccount } from '../target.ts'
import {
  buildBadFinding,
  buildGoodFinding,
  createSiteCheck,
  type DoctorCheck,
  type DoctorSubject,
  type Finding,
  reportFindings,
} from './findings.ts'
import { getWebhookAddress } from './site.ts'

export const stripeChecks: readonly DoctorCheck[] = [
  ['The Stripe account', checkAccount],
  ['The prices of the plans', checkPrices],
  ['The payment methods', checkPaymentMethods],
  ['The disputes', checkDisputes],
  createSiteCheck('The webhook at Stripe', checkWebhook),
]

async function* checkAccount({ context, settings }: DoctorSubject) {
  const current = await fetchStripeAccount(context, settings)
  const stored = await readStoredStripeAccount(context)
  yield stored && !isSameAccount(stored, current)
    ? buildBadFinding(
        `STRIPE_SECRET_KEY belongs to the account ${formatStripeAccount(current)}, but the database belongs to ${formatStripeAccount(stored)}.`,
        'Correct the key. If you moved to another account, correct settings/stripe in the database instead.',
      )
    : buildGoodFinding(`The Stripe account is ${formatStripeAccount(current)}.`)
}

async function* checkPrices({ context }: DoctorSubject) {
  const tiers = Object.keys(PLANS) as Tier[]
  const { data } = await context.stripe.prices.list({
    lookup_keys: tiers.map((tier) => PRICE_LOOKUP_KEYS[tier]),
    active: true,
  })
  for (const tier of tiers) {
    const key = PRICE_LOOKUP_KEYS[tier]
    const shown = `${formatAmount(PLANS[tier].price)} each month`
    const price = data.find((one) => one.lookup_key === key)
    const remedy = `In Stripe, Product catalogue, give the product a recurring price of ${shown} with the lookup key '${key}' (docs/deploying.md, Stripe).`
    if (!price) yield buildBadFinding(`Stripe has no active price with the lookup key '${key}'.`, remedy)
    else if (isShownPrice(price, tier)) yield buildGoodFinding(`The price '${key}' is ${shown}.`)
    else
      yield buildBadFinding(
        `The price '${key}' is not ${shown} as in the app, so users can't buy the plan.`,
        remedy,
      )
  }
}

/** On supported devices and registered domains. */
const WALLETS = { apple_pay: 'Apple Pay', google_pay: 'Google Pay' } as const
const CARDS = ['card', 'cartes_bancaires', ...Object.keys(WALLETS)]

export async function* checkPaymentMethods({
  context: { stripe },
  site,
}: Pick<DoctorSubject, 'context' | 'site'>) {
  const { data } = await stripe.paymentMethodConfigurations.list({ limit: 100 })
  const configuration = data.find(({ active, is_default: isDefault }) => active && isDefault)
  const on = Object.entries(configuration ?? {}).flatMap(([name, method]) => (isOffered(method) ? name : []))
  const others = on.filter((name) => !CARDS.includes(name))
  const remedy = `In Stripe, Settings, Payment methods: switch cards, ${Object.values(WALLETS).join(' and ')} on and everything else off.`
  const problem = on.includes('card')
    ? others.length > 0 && `Stripe also offers ${others.join(', ')}, which the app does not support.`
    : 'Stripe offers no cards.'
  if (problem) {
    yield buildBadFinding(problem, remedy)
    return
  }
  const active = await listActiveWallets(stripe, site)
  const missing = Object.entries(WALLETS).flatMap(([name, title]) =>
    on.includes(name) && active.includes(name) ? [] : title,
  )
  yield buildGoodFinding('Stripe offers only cards.')
  if (missing.length > 0)
    yield buildGoodFinding(
      `${missing.join(' and ')} can't be used.`,
      'To offer them: in Stripe, switch them on in Settings, Payment methods, and add the domain of the app in Payment method domains (docs/deploying.md, Stripe).',
    )
}

const isOffered = (method: unknown) =>
  (method as { display_preference?: { value?: unknown } } | null)?.display_preference?.value === 'on'

/** Wallets need a registered domain, except in development over http. */
async function listActiveWallets(stripe: Stripe, site: string | null): Promise<readonly string[]> {
  const names = Object.keys(WALLETS) as (keyof typeof WALLETS)[]
  if (!site?.startsWith('https://')) return names
  const { data } = await stripe.paymentMethodDomains.list({ domain_name: new URL(site).hostname, limit: 1 })
  return names.filter((name) => data[0]?.enabled && data[0][name].status === 'active')
}

async function* checkDisputes({ context }: DoctorSubject) {
  const { data } = await context.stripe.disputes.list({ limit: 100 })
  const waiting = data.filter(({ status }) => /^(warning_|appeal_)?needs_response$/.test(status))
  yield waiting.length > 0
    ? buildBadFinding(
        `Disputes that wait for evidence: ${waiting.length}.`,
        'Submit evidence in Stripe, Disputes, or accept them: docs/running.md, Stopping a person.',
      )
    : buildGoodFinding('No dispute waits for evidence.')
}

async function* checkWebhook(site: string, { context }: DoctorSubject) {
  const address = getWebhookAddress(site)
  const remedy = `In Stripe, Developers, Webhooks, add or correct an endpoint for ${address} with the events ${WEBHOOK_EVENTS.join(', ')}.`
  const endpoints = await context.stripe.webhookEndpoints
    .list({ limit: 100 })
    .autoPagingToArray({ limit: 1000 })
  const endpoint = endpoints.find(({ url }) => url === address)
  if (endpoint?.status !== 'enabled') {
    yield endpoint
      ? buildBadFinding(
          `The webhook ${endpoint.id} is disabled.`,
          'Enable it in Stripe, Developers, Webhooks.',
        )
      : buildBadFinding(`Stripe sends no events to ${address}.`, remedy)
    return
  }
  const { id, enabled_events: events, api_version: version } = endpoint
  const missing = events.includes('*') ? [] : WEBHOOK_EVENTS.filter((event) => !events.includes(event))
  const problems: Finding[] = []
  if (missing.length > 0)
    problems.push(buildBadFinding(`The webhook ${id} lacks the events ${missing.join(', ')}.`, remedy))
  // Versions of one release differ only by additions.
  if (parseRelease(version) !== parseRelease(Stripe.API_VERSION))
    problems.push(
      buildBadFinding(
        `The webhook ${id} and the functions have different API versions.`,
        `Create it again with the version ${Stripe.API_VERSION}, and put its new secret into STRIPE_WEBHOOK_SECRET.`,
      ),
    )
  yield* reportFindings(problems, `Stripe sends ${WEBHOOK_EVENTS.length} kinds of events to ${address}.`)
}

const parseRelease = (version: string | null) => version?.split('.')[1] ?? null
