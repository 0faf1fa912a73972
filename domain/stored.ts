import type { MonthLedger } from './capUse.ts'
import type { Contact } from './contact.ts'
import { DELIVERY_STAGES, type DeliveryNews, FINAL_FAILURES } from './delivery.ts'
import { DESTINATIONS } from './destinations.ts'
import {
  type DocumentRecord,
  ID_TYPES,
  IDENTITY_ITEMS,
  type IdentityDetails,
  type IdentityFile,
  identityStatus,
  safeFileName,
  safeReason,
} from './identity.ts'
import type { Invoice, InvoicePayment } from './invoice.ts'
import type { Currency, SourceCurrency } from './money.ts'
import { checkName } from './name.ts'
import { checkPhone, groupPhone } from './phone.ts'
import { PLANS, type Subscription, type Tier } from './plans.ts'
import type { Profile } from './profile.ts'
import {
  boolean,
  elseNull,
  fitting,
  integer,
  misfit,
  number,
  object,
  oneOf,
  orNull,
  type Reader,
  text,
} from './read.ts'
import { INVOICE_TYPES } from './suppliers.ts'
import type { Transaction } from './transaction.ts'
import type { Ownership } from './waysIn.ts'

// How the documents of the database are read, by the functions and by the app alike. `Instant` comes from the reader: each SDK
// has its own timestamps, and answers of functions have numbers.

/** UTC milliseconds. */
type Instant = Reader<number>

/** Instants as the SDK has them. */
export const instantWith =
  (millisOf: (value: unknown) => number | null): Instant =>
  (value) =>
    number(millisOf(value))

export const tier = oneOf<Tier>(...Object.values(PLANS).map(({ id }) => id))
export const currency = oneOf<Currency>('EUR', 'CAD', 'GNF')
export const sourceCurrency = oneOf<SourceCurrency>('EUR', 'CAD')
const country = oneOf(...DESTINATIONS.map(({ code }) => code))

/** An invoice as its supplier issued it. */
export const invoice = object<Invoice>({
  supplier: text,
  reference: text,
  type: oneOf(...INVOICE_TYPES),
  amount: object({ minor: integer, currency }),
  dueDate: text,
  status: oneOf('due', 'processing', 'paid', 'seemsPaid'),
})

/** The subscription of an answer, whole. */
export const subscription = (instant: Instant): Reader<Subscription> => subscriptionOf(instant, orNull)

/**
 * The subscription in a stored profile. A field that is lost, or that nothing of ours has written, counts as null, so that it gives
 * nobody a plan. Specification, section 3.
 */
export const profileSubscription =
  (instant: Instant): Reader<Subscription> =>
  (value) =>
    fitting(subscriptionOf(instant, elseNull), value) ?? subscriptionOf(instant, elseNull)({})

function subscriptionOf(
  instant: Instant,
  orNothing: <T>(read: Reader<T>) => Reader<T | null>,
): Reader<Subscription> {
  return object<Subscription>({
    tier: orNothing(tier),
    status: orNothing(oneOf('active', 'canceled')),
    transactionsLeft: orNothing(integer),
    startDate: orNothing(instant),
    lastReset: orNothing(instant),
    stripeSubscriptionId: orNothing(text),
    cancelAt: orNothing(instant),
    renewalFailed: (value) => (value === true ? true : undefined),
  })
}

/** Who the account of a stored profile belongs to. A time before which no session counts is never passed over. */
export const ownership =
  (instant: Instant): Reader<Ownership> =>
  (value) => ({
    ...object({
      madeWith: (way) => (way === 'phone' ? 'phone' : 'address'),
      verifiedAddress: elseNull(text),
      sessionsSince: orNull(instant),
    })(value),
  })

/** A stored profile, but for its id. */
export const profile =
  (instant: Instant): Reader<Omit<Profile, 'uid'>> =>
  (value) => {
    const { name, ...rest } = object({
      email: elseNull(text),
      name: elseNull(text),
      phone: elseNull(text),
      subscription: profileSubscription(instant),
    })(value)
    return { ...rest, name: name ?? '' }
  }

const anything: Reader<unknown> = (value) => value

/** News of a delivery. Of a stage that only a newer server knows nothing is told: that is read as no news at all. */
const deliveryNews: Reader<DeliveryNews> = object({
  stage: oneOf(...DELIVERY_STAGES),
  by: text,
  isLate: boolean,
  handedOverAt: orNull(number),
  deliveredAt: orNull(number),
  proof: orNull(text),
  failure: elseNull(oneOf(...FINAL_FAILURES)),
})

/**
 * A transfer. What its amounts are made of has to be there; what only describes it may be missing, or be unknown. Anything but
 * 'received' was sent, so that it counts.
 */
export const transaction =
  (instant: Instant): Reader<Transaction> =>
  (value) => {
    const { type, status, description, ...fields } = object({
      id: text,
      senderId: text,
      type: elseNull(oneOf('received')),
      recipientPhone: text,
      amount: number,
      fees: number,
      exchangeRate: number,
      convertedAmount: number,
      sourceCurrency,
      destinationCurrency: currency,
      destination: object<Transaction['destination']>({ code: country, name: text, currency, flag: text }),
      status: elseNull(text),
      createdAt: instant,
      settledAt: instant,
      estimatedArrival: instant,
      promisedMinutes: elseNull(integer),
      description: elseNull(text),
      couponCode: elseNull(text),
      receivingMethod: elseNull(text),
      delivery: elseNull(deliveryNews),
      recipientLink: elseNull(text),
    })(value)
    return {
      ...fields,
      type: type ?? 'sent',
      status: status ?? '',
      description: description ?? '',
      paymentMethod: 'card',
    }
  }

/** An invoice that was paid; what only describes it may be missing. */
export const invoicePayment =
  (instant: Instant): Reader<InvoicePayment> =>
  (value) => {
    const { status, description, ...fields } = object({
      id: text,
      payerId: text,
      supplier: text,
      reference: text,
      type: oneOf(...INVOICE_TYPES),
      amount: number,
      currency,
      dueDate: text,
      status: elseNull(text),
      description: elseNull(text),
      createdAt: instant,
      settledAt: instant,
    })(value)
    return {
      ...fields,
      status: status ?? '',
      description: description ?? '',
      paymentMethod: 'card',
    }
  }

/** What the server counted of a month. */
export const monthLedger: Reader<MonthLedger> = object({
  month: text,
  recordedCents: integer,
  reservedCents: integer,
  reservedSlots: integer,
})

/** A contact; none without a number that is valid. Its name loses the marks that could make it read as another one. */
export const contact =
  (instant: Instant): Reader<Contact> =>
  (value) => {
    const { phone, name, createdAt, ...fields } = object({
      id: text,
      userId: text,
      name: elseNull(text),
      phone: text,
      createdAt: orNull(instant),
    })(value)
    const number = checkPhone(phone)
    if (!number.ok) return misfit()
    const known = checkName(name ?? '')
    return {
      ...fields,
      name: known.ok ? known.value : groupPhone(number.value),
      phone: number.value,
      createdAt: createdAt ?? 0,
    }
  }

/** What a person may know of a file they handed in. Any status but two is one that somebody still has to decide on. */
export const identityFile =
  (instant: Instant): Reader<IdentityFile> =>
  (value) => {
    const { fileName, status, rejectionReason, createdAt, ...fields } = object({
      id: text,
      fileName: elseNull(text),
      status: anything,
      rejectedItem: elseNull(oneOf(...IDENTITY_ITEMS)),
      rejectionReason: anything,
      createdAt: orNull(instant),
    })(value)
    return {
      ...fields,
      fileName: safeFileName(fileName ?? ''),
      status: identityStatus(status),
      rejectionReason: safeReason(rejectionReason),
      createdAt: createdAt ?? 0,
    }
  }

/** Details and document of a file, whole, as they are handed in once more. */
export const submittedIdentity: Reader<IdentityDetails & DocumentRecord> = object({
  fullName: text,
  idType: oneOf(...ID_TYPES),
  idNumber: text,
  issuedBy: text,
  expirationDate: text,
  dateOfBirth: text,
  fileName: text,
  fileType: text,
  fileSize: number,
  downloadUrl: text,
})

/** The submission that a person opened last. */
export const submission = object({ name: text, count: integer })
