import type { DeliveryOrder } from '../../../domain/delivery.ts'
import { destinationOf } from '../../../domain/destinations.ts'
import { err, ok, type Result } from '../../../domain/result.ts'
import { type ReceivingMethod, walletsOf } from '../../../domain/wallets.ts'
import { type DeliveryEvent, takes } from '../../../machines/delivery.ts'
import { byHand } from '../deliveries/byHand.ts'
import { hindranceOf, tellDelivery } from '../payments/deliver.ts'
import { mayTrustRecords } from '../platform/closing.ts'
import type { Context } from '../platform/context.ts'
import { redirectsIn } from '../platform/metadata.ts'

/**
 * Why an order does not go to another wallet. `closed`: payments are, so an older database may have paid it. `noSuchWallet`: these are those
 * of its country. `nobodyPays`: no provider in the settings pays to that wallet. `calledOff`: its charge went back. `forgotten`: Stripe knows of
 * a redirect that this database does not. `mayArrive`: somebody has it, may have paid it, or what was sent may arrive still; or it is over.
 */
export type RedirectRefusal =
  | { readonly kind: 'noOrder' | 'closed' | 'sameWallet' | 'nobodyPays' }
  | { readonly kind: 'noSuchWallet'; readonly wallets: readonly ReceivingMethod[] }
  | { readonly kind: 'calledOff' | 'forgotten' | 'mayArrive'; readonly order: DeliveryOrder }

/** Where an order is to go: who wrote it down, and how the sender said so. */
export interface Wish {
  readonly wallet: string
  readonly by: string
  readonly because: string
}

/**
 * Sends an order to another wallet of the same number, in the same country: the amount stays what was promised. Only while nothing that was
 * sent can arrive, and nobody has it. Who said so, when and how stands in the order.
 *
 * @throws Stripe's or Firestore's error; asking again tells whether it was done.
 */
export async function redirect(
  context: Context,
  id: string,
  said: Wish,
): Promise<Result<DeliveryOrder, RedirectRefusal>> {
  if (!(await mayTrustRecords(context))) return err({ kind: 'closed' })
  const told = await tellDelivery(context, id, async (order) => {
    const event = eventOf(context, order, said)
    if ('kind' in event || !takes(order, event)) return null
    const hindrance = await hindranceOf(context, id, order)
    // What a warning or a review holds may go elsewhere, and is held there.
    return hindrance?.type === 'order.hold' && hindrance.cause !== 'restored' ? event : (hindrance ?? event)
  })
  if (!told) return err({ kind: 'noOrder' })
  const { order, isTaken } = told
  if (isTaken && order.wallet === said.wallet) return ok(order)
  if (isTaken) return err({ kind: order.state === 'held' ? 'forgotten' : 'calledOff', order })
  const event = eventOf(context, order, said)
  return err('kind' in event ? event : { kind: 'mayArrive', order })
}

function eventOf(
  { providers, now }: Context,
  { wallet: from, phone }: DeliveryOrder,
  said: Wish,
): Extract<DeliveryEvent, { readonly type: 'order.redirect' }> | RedirectRefusal {
  const country = destinationOf(phone)
  const wallets = (country ? walletsOf(country.code) : []).map(({ id }) => id)
  const wallet = wallets.find((one) => one === said.wallet)
  if (!wallet) return { kind: 'noSuchWallet', wallets }
  if (wallet === from) return { kind: 'sameWallet' }
  const provider = providers.find(({ pays }) => pays(wallet))
  if (!provider) return { kind: 'nobodyPays' }
  const isByHand = provider.api === null
  return { type: 'order.redirect', ...said, wallet, provider: provider.name, isByHand, at: now() }
}

/**
 * Sends an order where Stripe says that it went, which a restore has forgotten.
 *
 * @throws Stripe's or Firestore's error; calling again goes on.
 */
export async function redirectAgain(context: Context, id: string): Promise<void> {
  const { metadata } = await context.stripe.paymentIntents.retrieve(id)
  for (const { number, attempt, wallet, provider } of redirectsIn(metadata))
    await tellDelivery(context, id, ({ redirects }) =>
      number === redirects.length + 1
        ? {
            type: 'order.redirected',
            ...{ wallet, provider, attempt, isByHand: provider === byHand.name },
            at: context.now(),
          }
        : null,
    )
}
