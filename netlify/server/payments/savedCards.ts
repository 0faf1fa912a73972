import type Stripe from 'stripe'
import type { Context } from '../platform/context.ts'
import { customerOf } from '../platform/customers.ts'
import { parseCustomer } from '../platform/documents.ts'
import { traceOf } from '../platform/log.ts'
import { idOf, nullIfMissing } from '../platform/nullIfMissing.ts'
import { customers } from '../platform/records.ts'

/** Somebody waits for the form: who can't be shown their cards soon types one. */
const AT_ONCE: Stripe.RequestOptions = { timeout: 3_000, maxNetworkRetries: 0 }

/**
 * Shown are the cards that their holder asked to keep (`allow_redisplay`, which is so without a filter): that of a plan is not
 * among them, so nobody removes it here.
 */
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
 * Lets the form of a payment show, keep and remove the cards of the person who pays. Answers the secret that opens them to the
 * browser, made anew each time because it lasts half an hour; null when there is none to be had, which keeps nobody from paying.
 * A saved card is charged only with its security code: a number may be somebody else's by now, and an unlocked phone is anybody's.
 */
export async function openSavedCards(
  context: Context,
  uid: string,
  { id, customer: known, status }: Stripe.PaymentIntent,
): Promise<string | null> {
  const { stripe, log } = context
  // While the bank asks nothing of the payment is changed.
  const isOpen = status === 'requires_payment_method' || (status === 'requires_action' && known !== null)
  if (!isOpen) return null
  try {
    const customer = known === null ? await customerOf(context, uid, AT_ONCE) : idOf(known)
    const withCustomer = {
      customer,
      payment_method_options: { card: { require_cvc_recollection: true } },
    }
    const [session] = await Promise.all([
      stripe.customerSessions.create({ customer, components: { payment_element: PAYMENT_ELEMENT } }, AT_ONCE),
      known === null && stripe.paymentIntents.update(id, withCustomer, AT_ONCE),
    ])
    return session.client_secret
  } catch (error) {
    log({ level: 'error', event: 'savedCardsUnavailable', paymentIntentId: id, ...traceOf(error) })
    return null
  }
}

/**
 * Takes every card of a person away from the provider, and ends what could still save one: the pages that are open there.
 * Repeating is safe.
 *
 * @throws Stripe's or Firestore's error.
 */
export async function removeCards({ db, stripe }: Context, uid: string): Promise<void> {
  const stored = parseCustomer(await customers(db).doc(uid).get())
  if (!stored) return
  const { customerId: customer } = stored
  const pages = await nullIfMissing(stripe.checkout.sessions.list({ customer, status: 'open', limit: 100 }))
  for (const { id } of pages?.data ?? []) await stripe.checkout.sessions.expire(id)
  const all = { customer, limit: 100 }
  for (
    let cards = await nullIfMissing(stripe.paymentMethods.list(all));
    cards && cards.data.length > 0;
    cards = await nullIfMissing(stripe.paymentMethods.list(all))
  )
    for (const { id } of cards.data) await stripe.paymentMethods.detach(id)
}
