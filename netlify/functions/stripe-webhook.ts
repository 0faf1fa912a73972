import { receiveEvent } from '../server/endpoints/stripeWebhook.ts'
import { payoutContext } from '../server/payouts/createContext.ts'
import { publicEndpoint } from '../server/platform/endpoint.ts'
import type { PaymentContext } from '../server/platform/payouts.ts'

export const respond = publicEndpoint('stripe-webhook', (request, context: PaymentContext) =>
  receiveEvent(context, request),
)

export default (request: Request) => respond(request, payoutContext)
