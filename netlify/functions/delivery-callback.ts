import { createPublicEndpoint, type Host } from '../server/endpoints/endpoint.ts'
import { getPayoutContext } from '../server/payouts/createContext.ts'
import { receivePayoutCallback } from '../server/payouts/deliveryCallback.ts'
import type { PayoutContext } from '../server/payouts/payoutContext.ts'

export const respond = createPublicEndpoint('delivery-callback', (request, context: PayoutContext) =>
  receivePayoutCallback(context, request),
)

export default (request: Request, host: Host) => respond(request, getPayoutContext, host)
