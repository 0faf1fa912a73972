import { group, integer, type Reader, text, texts } from './form.ts'
import { missingReference, ok, type Result, unsupported } from './result.ts'
import type { Charge, Refund, State } from './state.ts'

export interface List<T> {
  object: 'list'
  data: T[]
  has_more: boolean
  url: string
}

const created: Reader<{ gt?: number; gte?: number; lt?: number; lte?: number } | undefined> = (
  value,
  name,
) => {
  if (typeof value === 'string') {
    const exact = integer(0)(value, name)
    return exact.ok
      ? ok(exact.value === undefined ? undefined : { gte: exact.value, lte: exact.value })
      : exact
  }
  const range = group({ gt: integer(0), gte: integer(0), lt: integer(0), lte: integer(0) })(value, name)
  if (!range.ok || !range.value) return range as Result<undefined>
  return ok(Object.fromEntries(Object.entries(range.value).filter(([, bound]) => bound !== undefined)))
}

/** The parameters that every list takes. */
export const listParameters = {
  limit: integer(1, 100),
  starting_after: text(),
  ending_before: text(),
  created,
  expand: texts,
}

/** Refuses a list that is asked for by objects that are not there: `[what it is, the parameter, its id, those there are]`. */
export function requireKnown(
  ...filters: readonly (readonly [
    what: string,
    param: string,
    id: string | undefined,
    known: ReadonlyMap<string, unknown>,
  ])[]
): Result<null> {
  for (const [what, param, id, known] of filters)
    if (id !== undefined && !known.has(id)) return missingReference(what, id, param)
  return ok(null)
}

/** One page of a collection, newest first. */
export function listPage<T extends { id: string; created: number }>(
  all: Iterable<T>,
  url: string,
  what: string,
  parameters: {
    limit: number | undefined
    starting_after: string | undefined
    ending_before: string | undefined
    created: { gt?: number; gte?: number; lt?: number; lte?: number } | undefined
  },
): Result<List<T>> {
  const { limit = 10, starting_after: after, ending_before: before, created: range = {} } = parameters
  const { gt = -1, gte = 0, lt = Number.POSITIVE_INFINITY, lte = Number.POSITIVE_INFINITY } = range
  const newestFirst = [...all].reverse()
  const cursor = after ?? before
  const at = newestFirst.findIndex(({ id }) => id === cursor)
  if (cursor !== undefined && at < 0)
    return missingReference(what, cursor, after ? 'starting_after' : 'ending_before')
  const eligible = ({ created: time }: T) => time > gt && time >= gte && time < lt && time <= lte
  const beyond = (
    after !== undefined
      ? newestFirst.slice(at + 1)
      : before !== undefined
        ? newestFirst.slice(0, at)
        : newestFirst
  ).filter(eligible)
  const data = before !== undefined && after === undefined ? beyond.slice(-limit) : beyond.slice(0, limit)
  return ok({ object: 'list', data, has_more: beyond.length > data.length, url })
}

/** Puts whole objects in the place of their ids, as the paths in `expand` ask (`latest_charge`, `data.charge`). */
export function expand(state: State, object: unknown, paths: readonly string[]): Result<unknown> {
  const copy = structuredClone(object)
  for (const path of paths) {
    if (leadsNowhere(state, copy, path.split('.'))) return unsupported(`expand ${path}`)
  }
  return ok(copy)
}

/** Expands one path in place, unless there is nothing at its end that could be expanded. */
function leadsNowhere(state: State, holder: unknown, [name = '', ...rest]: readonly string[]): boolean {
  if (Array.isArray(holder)) return holder.some((item) => leadsNowhere(state, item, [name, ...rest]))
  if (typeof holder !== 'object' || holder === null) return true
  if (name === 'refunds' && rest.length === 0 && 'object' in holder && holder.object === 'charge') {
    Object.assign(holder, { refunds: refundsOf(state, holder as Charge) })
    return false
  }
  if (!(name in holder)) return true
  const fields = holder as Record<string, unknown>
  const value = fields[name]
  if (value === null) return false
  if (typeof value === 'string') {
    const found = structuredClone(byId(state, value))
    if (!found) return true
    fields[name] = found
  } else if (rest.length === 0) return true
  return rest.length > 0 && leadsNowhere(state, fields[name], rest)
}

/** The newest ten, as in every list that is asked for without a limit. */
function refundsOf({ refunds }: State, { id }: Charge): List<Refund> {
  const ofCharge = [...refunds.values()].filter(({ charge }) => charge === id).reverse()
  const data = structuredClone(ofCharge.slice(0, 10))
  return { object: 'list', data, has_more: ofCharge.length > data.length, url: `/v1/charges/${id}/refunds` }
}

const byId = (state: State, id: string) =>
  state.paymentIntents.get(id) ??
  state.paymentMethods.get(id) ??
  state.charges.get(id) ??
  state.refunds.get(id) ??
  state.balanceTransactions.get(id) ??
  state.disputes.get(id) ??
  state.reviews.get(id) ??
  state.customers.get(id) ??
  state.products.get(id) ??
  state.subscriptions.get(id) ??
  state.setupIntents.get(id) ??
  state.invoices.get(id)
