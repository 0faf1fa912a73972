import { createPublicEndpoint, type Host } from '../server/endpoints/endpoint.ts'
import { receiveStripeEvent } from '../server/endpoints/stripeWebhook.ts'
import { getPayoutContext } from '../server/payouts/createContext.ts'
import type { PaymentContext } from '../server/platform/payouts.ts'

export const respond = createPublicEndpoint('stripe-webhook', (request, context: PaymentContext) =>
  receiveStripeEvent(context, request),
)

export default (request: Request, host: Host) => respond(request, getPayoutContext, host)
