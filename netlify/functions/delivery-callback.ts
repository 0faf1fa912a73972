import { receiveCallback } from '../server/endpoints/deliveryCallback.ts'
import { environmentContext } from '../server/platform/context.ts'
import { publicEndpoint } from '../server/platform/endpoint.ts'

export const respond = publicEndpoint('delivery-callback', (request, context) =>
  receiveCallback(context, request),
)

export default (request: Request) => respond(request, environmentContext)
