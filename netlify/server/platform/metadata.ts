import type Stripe from 'stripe'
import { z } from 'zod'
import { destinationOf } from '../../../domain/destinations.ts'
import { eurCents } from '../../../domain/limits.ts'
import { money } from '../../../domain/money.ts'
import { monthOf } from '../../../domain/month.ts'
import { PLANS, type Tier } from '../../../domain/plans.ts'
import { supplierById } from '../../../domain/suppliers.ts'
import { checkWallet } from '../../../domain/wallets.ts'
import type { Context } from './context.ts'
import type { Attempt, InvoiceAttempt, TransferAttempt } from './documents.ts'
import { attemptKey, chargeOf } from './records.ts'

/** A PaymentIntent that the functions made for an attempt. Nobody else writes metadata. */
export type AttemptIntent = Stripe.PaymentIntent & {
  readonly metadata: {
    readonly deployment: string
    readonly kind: Attempt['kind']
    readonly attemptKey: string
    readonly uid: string
    /** See `personsOf`. */
    readonly persons?: string
  }
}

/**
 * Whether this deployment made a PaymentIntent for an attempt. Others on the same account of the provider's, a staging
 * or a former one, look after their own: what they know of a payment is not in this database.
 */
export function isAttemptIntent(
  { deployment }: Pick<Context, 'deployment'>,
  intent: Stripe.PaymentIntent,
): intent is AttemptIntent {
  const { deployment: madeBy, kind, attemptKey, uid } = intent.metadata
  const isAttempt = (kind === 'transfer' || kind === 'invoice') && Boolean(attemptKey) && Boolean(uid)
  return isAttempt && madeBy === deployment
}

/** What is written on each subscription and checkout that the functions make. Nobody else writes metadata. */
export const planMetadata = ({ deployment }: Pick<Context, 'deployment'>, uid: string, tier: Tier) => ({
  deployment,
  kind: 'plan',
  uid,
  tier,
})

/** Whose plan it is, or null when it is no plan of this deployment. */
export function planOwner(
  { deployment }: Pick<Context, 'deployment'>,
  metadata: Stripe.Metadata | null,
): string | null {
  if (metadata?.kind !== 'plan' || metadata.deployment !== deployment) return null
  return metadata.uid && (metadata.tier ?? '') in PLANS ? metadata.uid : null
}

const anyPromise = {
  attemptId: z.uuid(),
  createdAt: z.int(),
  amount: z.int().positive(),
}

/** In minor units and UTC ms. The rate is a fraction. */
const promisedTransfer = z.object({
  ...anyPromise,
  currency: z.enum(['EUR', 'CAD']),
  phone: z.string(),
  receivingMethod: z.string(),
  coupon: z.string().nullable(),
  fee: z.int().nonnegative(),
  converted: z.int().nonnegative(),
  rate: z.tuple([z.int(), z.int().positive()]),
  feeRule: z.enum(['coupon', 'premium', 'basic', 'default']),
  slotPeriod: z.int().nullable(),
  promised: z.int().positive().optional(),
})

const promisedInvoice = z.object({
  ...anyPromise,
  currency: z.enum(['EUR', 'CAD', 'GNF']),
  supplier: z.string(),
  reference: z.string(),
  dueDate: z.iso.date(),
})

/**
 * What was promised with an attempt, for the metadata of its PaymentIntent: enough to write the attempt again, should the
 * database ever be an older one than the provider's. The same attempt gives the same text; the provider takes 500 characters.
 */
export function inMetadata(attempt: Attempt): string {
  const { attemptId, createdAt } = attempt
  const { minor: amount, currency } = chargeOf(attempt).amount
  const promised = { attemptId, createdAt, amount, currency }
  if (attempt.kind === 'invoice') {
    const { supplier, reference, dueDate } = attempt.invoice
    return JSON.stringify({ ...promised, supplier, reference, dueDate })
  }
  const { phone, receivingMethod, coupon, quote } = attempt.transfer
  return JSON.stringify({
    ...promised,
    phone,
    receivingMethod,
    coupon,
    fee: quote.fee.minor,
    converted: quote.converted.minor,
    rate: [quote.rate.numerator, quote.rate.denominator],
    feeRule: quote.feeRule,
    slotPeriod: attempt.slotPeriod,
    promised: attempt.promisedMinutes,
  })
}

/** Whose attempt it is, for the metadata too: an account, and keyed hashes of a number and an address. */
export const personsOf = ({ persons }: Attempt) => (persons ? { persons: persons.join(' ') } : {})

/** The same of a payment that was made: an account that is gone says no longer whose it was. */
export const personsIn = ({ metadata }: AttemptIntent): readonly string[] =>
  metadata.persons?.split(' ') ?? [metadata.uid]

/**
 * The attempt of a PaymentIntent as it was when the PaymentIntent was made: reserved, and linked to it. Null when its
 * metadata do not say it, because somebody changed them by hand.
 */
export function fromMetadata({ id, metadata }: Stripe.PaymentIntent): Attempt | null {
  const { kind, uid = '', attemptKey: key, attempt: text } = metadata
  const { persons } = metadata
  const attempt = kind === 'invoice' ? invoiceAttempt(uid, id, text) : transferAttempt(uid, id, text)
  if (!attempt || attemptKey(uid, attempt.attemptId) !== key) return null
  return { ...attempt, ...(persons && { persons: persons.split(' ') }) }
}

function transferAttempt(
  uid: string,
  paymentIntentId: string,
  text: string | undefined,
): TransferAttempt | null {
  const read = promisedTransfer.safeParse(parsed(text))
  if (!read.success) return null
  const { attemptId, createdAt, amount, currency, phone, coupon, fee, feeRule, slotPeriod, promised } =
    read.data
  const destination = destinationOf(phone)
  const wallet = destination && checkWallet(read.data.receivingMethod, destination.code)
  if (!destination || !wallet?.ok) return null
  const gross = money(amount, currency)
  const [numerator, denominator] = read.data.rate
  const quote = {
    gross,
    fee: money(fee, currency),
    net: money(amount - fee, currency),
    converted: money(read.data.converted, destination.currency),
    rate: { from: currency, to: destination.currency, numerator, denominator },
    feeRule,
    usesSlot: slotPeriod !== null,
  }
  return {
    kind: 'transfer',
    uid,
    attemptId,
    status: 'reserved',
    month: monthOf(createdAt),
    transfer: { gross, phone, destination, receivingMethod: wallet.value, coupon, quote },
    capCents: eurCents(gross),
    slotPeriod,
    ...(promised !== undefined && { promisedMinutes: promised }),
    paymentIntentId,
    createdAt,
  }
}

function invoiceAttempt(
  uid: string,
  paymentIntentId: string,
  text: string | undefined,
): InvoiceAttempt | null {
  const read = promisedInvoice.safeParse(parsed(text))
  const supplier = read.success ? supplierById(read.data.supplier) : null
  if (!read.success || !supplier) return null
  const { attemptId, createdAt, amount, currency, reference, dueDate } = read.data
  return {
    kind: 'invoice',
    uid,
    attemptId,
    status: 'reserved',
    invoice: {
      supplier: supplier.id,
      reference,
      type: supplier.type,
      amount: money(amount, currency),
      dueDate,
      status: 'due',
    },
    paymentIntentId,
    createdAt,
  }
}

function parsed(text: string | undefined): unknown {
  try {
    return JSON.parse(text ?? '')
  } catch {
    return null
  }
}
