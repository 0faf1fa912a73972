import { type Form, readForm, text } from './form.ts'
import { type List, listPage, listParameters } from './lists.ts'
import { missing, ok, type Result } from './result.ts'
import { type BalanceTransaction, type Call, newId, seconds } from './state.ts'

/** What Stripe's French price list says for a card of the European Economic Area: 1.5 % and 25 cents; and 15 for a dispute. */
const PERCENT = 1.5
const FIXED = 25
const DISPUTE_FEE = 1_500

/** An account has no balance in francs of Guinea: what is charged in them is exchanged to euros. */
const EXCHANGED: Readonly<Record<string, readonly [currency: string, rate: number]>> = {
  gnf: ['eur', 1 / 106],
}

/**
 * Writes down that money came into the account's balance or left it (`amount`, in minor units, signed), and answers the id. A charge costs
 * the account a fee, which no refund brings back; so does a dispute.
 */
export function book(
  { state, clock }: Pick<Call, 'state' | 'clock'>,
  type: BalanceTransaction['type'],
  { id: source, amount, currency: charged }: { id: string; amount: number; currency: string },
  reportingCategory: string = type,
): BalanceTransaction {
  const [currency, rate] = EXCHANGED[charged] ?? [charged, null]
  const booked = rate === null ? amount : Math.round(amount * rate)
  const fee =
    type === 'charge'
      ? Math.round((booked * PERCENT) / 100) + FIXED
      : reportingCategory === 'dispute'
        ? DISPUTE_FEE
        : 0
  const created = seconds(clock)
  const made: BalanceTransaction = {
    id: newId('txn'),
    object: 'balance_transaction',
    amount: booked,
    available_on: created + 7 * 86_400,
    created,
    currency,
    description: null,
    exchange_rate: rate,
    fee,
    fee_details:
      fee === 0
        ? []
        : [
            {
              amount: fee,
              application: null,
              currency,
              description: 'Stripe processing fees',
              type: 'stripe_fee',
            },
          ],
    net: booked - fee,
    reporting_category: reportingCategory,
    source,
    status: 'pending',
    type,
  }
  state.balanceTransactions.set(made.id, made)
  return made
}

/** `GET /v1/balance_transactions/:id` */
export function retrieveBalanceTransaction({ state }: Call, id: string): Result<BalanceTransaction> {
  const found = state.balanceTransactions.get(id)
  return found ? ok(found) : missing('balance_transaction', id, 'id')
}

/** `GET /v1/balance_transactions` */
export function listBalanceTransactions({ state }: Call, form: Form): Result<List<BalanceTransaction>> {
  const read = readForm(form, { ...listParameters, type: text(), source: text() })
  if (!read.ok) return read
  const { type, source } = read.value
  const matching = [...state.balanceTransactions.values()].filter(
    (one) => (type === undefined || one.type === type) && (source === undefined || one.source === source),
  )
  return listPage(matching, '/v1/balance_transactions', 'balance_transaction', read.value)
}
