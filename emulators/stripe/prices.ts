import { boolean, type Form, ignored, notHere, oneOf, readForm, text, texts } from './form.ts'
import { type List, listPage, listParameters, requireKnown } from './lists.ts'
import { missing, ok, type Result } from './result.ts'
import type { Call, Price, Product } from './state.ts'

/** A product with its monthly price in EUR cents, as its owner makes them in Stripe's dashboard. */
export interface Plan {
  readonly id: string
  readonly name: string
  readonly lookupKey: string
  readonly cents: number
}

const MADE_AT = Date.UTC(2026, 0, 1) / 1000

export const productOf = ({ id, name }: Plan): Product => ({
  id: `prod_${id}`,
  object: 'product',
  active: true,
  created: MADE_AT,
  description: null,
  livemode: false,
  metadata: {},
  name,
})

export const priceOf = ({ id, lookupKey, cents }: Plan): Price => ({
  id: `price_${id}`,
  object: 'price',
  active: true,
  billing_scheme: 'per_unit',
  created: MADE_AT,
  currency: 'eur',
  livemode: false,
  lookup_key: lookupKey,
  metadata: {},
  nickname: null,
  product: `prod_${id}`,
  recurring: { interval: 'month', interval_count: 1, meter: null, usage_type: 'licensed' },
  tax_behavior: 'unspecified',
  type: 'recurring',
  unit_amount: cents,
  unit_amount_decimal: String(cents),
})

/** `GET /v1/products` */
export function listProducts({ state }: Call, form: Form): Result<List<Product>> {
  const read = readForm(form, { ...listParameters, active: boolean })
  if (!read.ok) return read
  const { active } = read.value
  const matching = [...state.products.values()].filter(
    (known) => active === undefined || known.active === active,
  )
  return listPage(matching, '/v1/products', 'product', read.value)
}

/** `GET /v1/products/:id` */
export function retrieveProduct({ state }: Call, id: string): Result<Product> {
  const found = state.products.get(id)
  return found ? ok(found) : missing('product', id, 'id')
}

/** `GET /v1/prices` */
export function listPrices({ state }: Call, form: Form): Result<List<Price>> {
  const read = readForm(form, {
    ...listParameters,
    active: boolean,
    lookup_keys: texts,
    product: text(),
    type: notHere(oneOf('recurring'), (type) => type === 'one_time'),
  })
  if (!read.ok) return read
  const { active, lookup_keys: keys, product: of } = read.value
  const known = requireKnown(['product', 'product', of, state.products])
  if (!known.ok) return known
  const matching = [...state.prices.values()].filter(
    (price) =>
      (active === undefined || price.active === active) &&
      (keys.length === 0 || keys.includes(price.lookup_key ?? '')) &&
      (of === undefined || price.product === of),
  )
  return listPage(matching, '/v1/prices', 'price', read.value)
}

/** `GET /v1/prices/:id` */
export function retrievePrice({ state }: Call, id: string): Result<Price> {
  const price = state.prices.get(id)
  return price ? ok(price) : missing('price', id, 'price')
}

/** `POST /v1/prices/:id` */
export function updatePrice({ state }: Call, id: string, form: Form): Result<Price> {
  const read = readForm(form, { active: boolean, lookup_key: text(200), expand: ignored })
  if (!read.ok) return read
  const price = state.prices.get(id)
  if (!price) return missing('price', id, 'price')
  const { active = price.active, lookup_key: lookupKey } = read.value
  price.active = active
  if (lookupKey !== undefined) price.lookup_key = lookupKey || null
  return ok(price)
}
