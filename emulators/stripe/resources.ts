import * as p from './form.ts'
import type { Invoice, Price, Review, StripeEvent, Subscription } from './objects.ts'
import { failMissingReference, failUnsupported, findObject } from './refusals.ts'
import type { Call, StripeState } from './state.ts'

/** Without `matches`, compares the field of the same name. */
interface Filter {
  readonly parse: p.ParameterParser<unknown>
  /** The collection of the object that the parameter names. */
  readonly among?: keyof StripeState
  matches?(object: object, wanted: unknown): boolean
}

interface Resource {
  readonly among: keyof StripeState
  /** In error messages. */
  readonly name: string
  readonly filters?: Readonly<Record<string, Filter>>
  /** Whether the list includes the object if no filter is given. */
  isListed?(object: object): boolean
}

const id = (among: keyof StripeState): Filter => ({ parse: p.text(), among })
const ofCharge = { charge: id('charges'), payment_intent: id('paymentIntents') }

/** By path below `/v1/`. */
export const STRIPE_RESOURCES: Readonly<Record<string, Resource>> = {
  charges: { among: 'charges', name: 'charge', filters: { payment_intent: id('paymentIntents') } },
  'checkout/sessions': {
    among: 'sessions',
    name: 'checkout.session',
    filters: { customer: id('customers'), status: { parse: p.enumValue('open', 'complete', 'expired') } },
  },
  customers: { among: 'customers', name: 'customer' },
  disputes: { among: 'disputes', name: 'dispute', filters: ofCharge },
  events: {
    among: 'events',
    name: 'event',
    filters: {
      types: {
        parse: p.textList,
        matches: ({ type }: StripeEvent, wanted: string[]) => wanted.includes(type),
      },
    },
  },
  invoice_payments: {
    among: 'invoicePayments',
    name: 'invoice_payment',
    filters: { invoice: id('invoices'), status: { parse: p.enumValue('canceled', 'open', 'paid') } },
  },
  invoices: {
    among: 'invoices',
    name: 'invoice',
    filters: {
      subscription: {
        ...id('subscriptions'),
        matches: ({ parent }: Invoice, wanted) => parent.subscription_details.subscription === wanted,
      },
      status: { parse: p.enumValue('open', 'paid', 'void', 'uncollectible') },
    },
  },
  payment_intents: { among: 'paymentIntents', name: 'payment_intent' },
  payment_method_configurations: {
    among: 'paymentMethodConfigurations',
    name: 'payment method configuration',
  },
  payment_method_domains: {
    among: 'paymentMethodDomains',
    name: 'payment method domain',
    filters: { domain_name: { parse: p.text() } },
  },
  payment_methods: {
    among: 'paymentMethods',
    name: 'PaymentMethod',
    filters: { customer: { parse: p.required(p.text()), among: 'customers' } },
  },
  prices: {
    among: 'prices',
    name: 'price',
    filters: {
      active: { parse: p.boolean },
      lookup_keys: {
        parse: p.textList,
        matches: ({ lookup_key: key }: Price, wanted: string[]) => wanted.includes(key ?? ''),
      },
    },
  },
  'radar/early_fraud_warnings': { among: 'fraudWarnings', name: 'early_fraud_warning', filters: ofCharge },
  refunds: { among: 'refunds', name: 'refund', filters: ofCharge },
  reviews: { among: 'reviews', name: 'review', isListed: ({ open }: Review) => open },
  setup_intents: { among: 'setupIntents', name: 'setupintent' },
  subscriptions: {
    among: 'subscriptions',
    name: 'subscription',
    filters: {
      customer: id('customers'),
      status: {
        parse: p.enumValue(
          'all',
          'incomplete',
          'incomplete_expired',
          'active',
          'past_due',
          'canceled',
          'unpaid',
        ),
        matches: ({ status }: Subscription, wanted) => wanted === 'all' || status === wanted,
      },
    },
    isListed: ({ status }: Subscription) => status !== 'canceled',
  },
}

interface Listed {
  readonly id: string
  readonly created: number
}

interface List<T> {
  object: 'list'
  data: T[]
  has_more: boolean
  url: string
}

export const retrieveObject = ({ state }: Call, { among, name }: Resource, objectId: string): object =>
  findObject(state[among] as ReadonlyMap<string, object>, name, objectId)

const created = p.group({ gt: p.integer(0), gte: p.integer(0), lt: p.integer(0), lte: p.integer(0) })

/** One page, newest first. */
export function listObjects({ state }: Call, path: string, form: p.Form): List<Listed> {
  const { among, name, filters = {}, isListed = () => true } = STRIPE_RESOURCES[path] as Resource
  const parsers = Object.fromEntries(Object.entries(filters).map(([param, { parse }]) => [param, parse]))
  const params = p.parseParameters(form, {
    ...parsers,
    limit: p.integer(1, 100),
    starting_after: p.text(),
    created,
  })
  const values: Record<string, unknown> = params
  const activeFilters = Object.entries(filters).filter(([param]) => form[param] !== undefined)
  for (const [param, { among: others }] of activeFilters)
    if (others && !state[others].has(String(values[param])))
      return failMissingReference(param, String(values[param]), param)

  const { limit = 10, starting_after: after, created: range } = params
  const { gt = -1, gte = 0, lt = Number.POSITIVE_INFINITY, lte = Number.POSITIVE_INFINITY } = range ?? {}
  const newestFirst = [...(state[among] as ReadonlyMap<string, Listed>).values()].reverse()
  const at = newestFirst.findIndex((one) => one.id === after)
  if (after !== undefined && at < 0) return failMissingReference(name, after, 'starting_after')
  const isWanted = (one: Listed) =>
    (form.status !== undefined || isListed(one)) &&
    activeFilters.every(([param, { matches }]) =>
      matches ? matches(one, values[param]) : (one as unknown as typeof values)[param] === values[param],
    )
  const matching = newestFirst
    .slice(at + 1)
    .filter(({ created: time }) => time > gt && time >= gte && time < lt && time <= lte)
    .filter(isWanted)
  const data = matching.slice(0, limit)
  return { object: 'list', data, has_more: matching.length > data.length, url: `/v1/${path}` }
}

/** Such as `latest_charge` or `data.charge`. */
export function expandObject(state: StripeState, object: unknown, paths: readonly string[]): unknown {
  const copy = structuredClone(object)
  for (const path of paths) {
    if (!expandPath(state, copy, path.split('.'))) return failUnsupported(`expand ${path}`)
  }
  return copy
}

function expandPath(state: StripeState, holder: unknown, [name = '', ...rest]: readonly string[]): boolean {
  if (Array.isArray(holder)) return holder.every((item) => expandPath(state, item, [name, ...rest]))
  if (typeof holder !== 'object' || holder === null) return false
  if (!(name in holder)) return false
  const fields = holder as Record<string, unknown>
  const value = fields[name]
  if (value === null) return true
  if (typeof value === 'string') {
    const target = Object.values(state).flatMap((objects) => objects.get(value) ?? [])[0]
    if (typeof target !== 'object') return false
    fields[name] = structuredClone(target)
  } else if (rest.length === 0) return false
  return rest.length === 0 || expandPath(state, fields[name], rest)
}
