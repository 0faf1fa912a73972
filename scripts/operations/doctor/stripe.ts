import Stripe from 'stripe'
import { PLANS } from '../../../domain/plans.ts'
import type { Tier } from '../../../domain/schemas/profile.ts'
import { isAsShown, LOOKUP_KEYS } from '../../../netlify/server/endpoints/createSubscription.ts'
import { WEBHOOK_EVENTS } from '../../../netlify/server/operations/events.ts'
import { formatAmount } from '../format.ts'
import { describeAccount, fetchStripeAccount, isSameAccount, readStoredAccount } from '../target.ts'
import { bad, type Check, type Finding, good, orElse, type Subject, siteCheck } from './findings.ts'
import { webhookAddress } from './site.ts'

export const stripeChecks: readonly Check[] = [
  ['The Stripe account', checkAccount],
  ['The prices of the plans', checkPrices],
  ['The payment methods', checkPaymentMethods],
  ['The disputes', checkDisputes],
  siteCheck('The webhook at Stripe', checkWebhook),
]

async function checkAccount({ context, settings }: Subject): Promise<readonly Finding[]> {
  const current = await fetchStripeAccount(context, settings)
  const stored = await readStoredAccount(context)
  return stored && !isSameAccount(stored, current)
    ? [
        bad(
          `STRIPE_SECRET_KEY is of the account ${describeAccount(current)}, but the database belongs to ${describeAccount(stored)}.`,
          'Correct the key; or, after a move to another account, settings/stripe in the database.',
        ),
      ]
    : [good(`The Stripe account is ${describeAccount(current)}.`)]
}

async function checkPrices({ context }: Subject): Promise<readonly Finding[]> {
  const tiers = Object.keys(PLANS) as Tier[]
  const { data } = await context.stripe.prices.list({
    lookup_keys: tiers.map((tier) => LOOKUP_KEYS[tier]),
    active: true,
  })
  return tiers.map((tier) => {
    const key = LOOKUP_KEYS[tier]
    const shown = `${formatAmount(PLANS[tier].price)} each month`
    const price = data.find((one) => one.lookup_key === key)
    const remedy = `In Stripe, Product catalogue, give the product a recurring price of ${shown} with the lookup key '${key}' (docs/deploying.md, Stripe).`
    if (!price) return bad(`Stripe has no active price with the lookup key '${key}'.`, remedy)
    return isAsShown(price, tier)
      ? good(`The price '${key}' is ${shown}.`)
      : bad(`The price '${key}' is not ${shown}, which the app shows; the plan is not sold.`, remedy)
  })
}

/** The wallets that Stripe offers with cards, on devices that have them and on registered domains. */
const WALLETS = { apple_pay: 'Apple Pay', google_pay: 'Google Pay' } as const
const CARDS = ['card', 'cartes_bancaires', ...Object.keys(WALLETS)]

export async function checkPaymentMethods({
  context: { stripe },
  site,
}: Pick<Subject, 'context' | 'site'>): Promise<readonly Finding[]> {
  const { data } = await stripe.paymentMethodConfigurations.list({ limit: 100 })
  const configuration = data.find(({ active, is_default: isDefault }) => active && isDefault)
  const on = Object.entries(configuration ?? {}).flatMap(([name, method]) => (isOffered(method) ? name : []))
  const others = on.filter((name) => !CARDS.includes(name))
  const remedy = `In Stripe, Settings, Payment methods: switch cards, ${Object.values(WALLETS).join(' and ')} on and everything else off.`
  if (!on.includes('card')) return [bad('Stripe offers no cards.', remedy)]
  if (others.length > 0)
    return [bad(`Stripe also offers ${others.join(', ')}, which the app does not support.`, remedy)]
  const active = await listActiveWallets(stripe, site)
  const missing = Object.entries(WALLETS).flatMap(([name, title]) =>
    on.includes(name) && active.includes(name) ? [] : title,
  )
  return [
    good('Stripe offers cards, and nothing else.'),
    ...(missing.length > 0
      ? [
          good(
            `${missing.join(' and ')} can't be used.`,
            'To offer them: in Stripe, switch them on in Settings, Payment methods, and add the domain of the app in Payment method domains (docs/deploying.md, Stripe).',
          ),
        ]
      : []),
  ]
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

async function checkDisputes({ context }: Subject): Promise<readonly Finding[]> {
  const { data } = await context.stripe.disputes.list({ limit: 100 })
  const waiting = data.filter(({ status }) => /^(warning_|appeal_)?needs_response$/.test(status))
  return [
    waiting.length > 0
      ? bad(
          `The bank waits for an answer to ${waiting.length} disputes.`,
          'Submit evidence in Stripe, Disputes, or accept them: docs/running.md, Stopping a person.',
        )
      : good('No dispute waits for an answer.'),
  ]
}

async function checkWebhook(site: string, { context }: Subject): Promise<readonly Finding[]> {
  const address = webhookAddress(site)
  const remedy = `In Stripe, Developers, Webhooks: an endpoint for ${address} with the events ${WEBHOOK_EVENTS.join(', ')}.`
  const known = await context.stripe.webhookEndpoints.list({ limit: 100 }).autoPagingToArray({ limit: 1000 })
  const endpoint = known.find(({ url }) => url === address)
  if (!endpoint) return [bad(`Stripe sends no events to ${address}.`, remedy)]
  const { id, status, enabled_events: events, api_version: version } = endpoint
  if (status !== 'enabled')
    return [bad(`The webhook ${id} is disabled.`, 'Enable it in Stripe, Developers, Webhooks.')]
  const missing = events.includes('*') ? [] : WEBHOOK_EVENTS.filter((event) => !events.includes(event))
  const problems: Finding[] = []
  if (missing.length > 0) problems.push(bad(`The webhook ${id} leaves out ${missing.join(', ')}.`, remedy))
  // Versions of one release differ only by additions.
  if (releaseOf(version) !== releaseOf(Stripe.API_VERSION))
    problems.push(
      bad(
        `The webhook ${id} has another API version than the functions.`,
        `Create it again with the version ${Stripe.API_VERSION}, and put its new secret into STRIPE_WEBHOOK_SECRET.`,
      ),
    )
  return orElse(problems, `Stripe sends ${WEBHOOK_EVENTS.length} kinds of events to ${address}.`)
}

const releaseOf = (version: string | null) => version?.split('.')[1] ?? null
