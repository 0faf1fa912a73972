import { payoutContext } from '../server/payouts/createContext.ts'
import { receiveCallback } from '../server/payouts/deliveryCallback.ts'
import type { PayoutContext } from '../server/payouts/payoutContext.ts'
import { publicEndpoint } from '../server/platform/endpoint.ts'

export const respond = publicEndpoint('delivery-callback', (request, context: PayoutContext) =>
  receiveCallback(context, request),
)

export default (request: Request) => respond(request, payoutContext)
