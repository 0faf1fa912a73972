import { receiveEvent } from '../server/endpoints/stripeWebhook.ts'
import { environmentContext } from '../server/platform/context.ts'
import { publicEndpoint } from '../server/platform/endpoint.ts'

export const respond = publicEndpoint('stripe-webhook', (request, context) => receiveEvent(context, request))

export default (request: Request) => respond(request, environmentContext)
