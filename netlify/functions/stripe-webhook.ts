import { receiveEvent } from '../server/endpoints/stripeWebhook.ts'
import { environmentContext } from '../server/platform/context.ts'
import { postOnly } from '../server/platform/endpoint.ts'

export const respond = postOnly('stripe-webhook', (request, context) => receiveEvent(context, request))

export default (request: Request) => respond(request, environmentContext)
