import type Stripe from 'stripe'
import { getCardKeys } from '../accounts/persons.ts'
import type { Context } from '../platform/context.ts'
import { parseCustomer } from '../platform/documents.ts'
import { getTrace } from '../platform/log.ts'
import { customers } from '../platform/records.ts'
import { getStripeId, returnNullIfMissing } from '../platform/returnNullIfMissing.ts'
import { findOrCreateCustomer, replaceDeletedCustomer } from './customers.ts'

/** The user is waiting for the form, and can enter a card. */
const AT_ONCE: Stripe.RequestOptions = { timeout: 3_000, maxNetworkRetries: 0 }

/** Stripe shows only cards that their holder chose to save, so a plan's card can't be removed here. */
const PAYMENT_ELEMENT = {
  enabled: true,
  features: {
    payment_method_redisplay: 'enabled',
    payment_method_remove: 'enabled',
    payment_method_save: 'enabled',
    payment_method_save_usage: 'on_session',
  },
} as const

/**
 * Returns a new client secret each time, because one lasts half an hour; null if the cards are unavailable. A
 * saved card needs its security code, because the unlocked phone may be in other hands.
 */
export async function createSavedCardsSession(
  context: Context,
  intent: Stripe.PaymentIntent,
  uid: string,
  customerId: string | null,
): Promise<string | null> {
  const { id, customer, status } = intent
  // Do not modify the PaymentIntent while 3-D Secure is in progress.
  const isOpen = status === 'requires_payment_method' || (status === 'requires_action' && customer !== null)
  if (!isOpen) return null
  try {
    const secret = await returnNullIfMissing(openCustomerSession(context, intent, uid, customerId))
    if (secret !== null) return secret
    const isReplaced = await replaceDeletedCustomer(context, uid, AT_ONCE)
    // A PaymentIntent keeps its customer: only the next one gets the new customer.
    if (isReplaced && customer === null) return await openCustomerSession(context, intent, uid, null)
    throw new Error('Stripe does not know the customer')
  } catch (error) {
    context.log({ level: 'error', event: 'savedCardsUnavailable', paymentIntentId: id, ...getTrace(error) })
    return null
  }
}

async function openCustomerSession(
  context: Context,
  { id, customer: known }: Stripe.PaymentIntent,
  uid: string,
  customerId: string | null,
): Promise<string> {
  const { stripe } = context
  const customer =
    known === null ? (customerId ?? (await findOrCreateCustomer(context, uid, AT_ONCE))) : getStripeId(known)
  const withCustomer = {
    customer,
    payment_method_options: { card: { require_cvc_recollection: true } },
  }
  const [session] = await Promise.all([
    stripe.customerSessions.create({ customer, components: { payment_element: PAYMENT_ELEMENT } }, AT_ONCE),
    known === null && stripe.paymentIntents.update(id, withCustomer, AT_ONCE),
  ])
  return session.client_secret
}

interface SavedCards {
  /** Null if unknown. */
  readonly customerId: string | null
  readonly keys: readonly string[]
}

/** No keys if Stripe does not answer soon, because the user can still pay. Never throws. */
export async function fetchSavedCards(context: Context, uid: string): Promise<SavedCards> {
  const { db, stripe, log } = context
  let customerId: string | null = null
  try {
    customerId = parseCustomer(await customers(db).doc(uid).get())?.customerId ?? null
    if (customerId === null) return { customerId, keys: [] }
    const list = stripe.paymentMethods.list({ customer: customerId, limit: 100 }, AT_ONCE)
    const cards = (await returnNullIfMissing(list))?.data ?? []
    const keys = cards.flatMap((card) => getCardKeys(context, { payment_method_details: card }))
    return { customerId, keys: [...new Set(keys)] }
  } catch (error) {
    log({ level: 'error', event: 'savedCardsUnavailable', ...getTrace(error) })
    return { customerId, keys: [] }
  }
}

/** Open pages can still save a card, so expire them first. @throws a service's error; calling again is safe. */
export async function removeSavedCards({ db, stripe }: Context, uid: string): Promise<void> {
  const stored = parseCustomer(await customers(db).doc(uid).get())
  if (!stored) return
  const { customerId: customer } = stored
  const all = { customer, limit: 100 }
  for (
    let cards = await returnNullIfMissing(stripe.paymentMethods.list(all));
    cards && cards.data.length > 0;
    cards = await returnNullIfMissing(stripe.paymentMethods.list(all))
  )
    for (const { id } of cards.data) await stripe.paymentMethods.detach(id)
  // Stripe's own pages may have stored these fields. The law requires the payments to be kept.
  await returnNullIfMissing(
    stripe.customers.update(customer, { email: '', name: '', phone: '', address: '' }),
  )
}
