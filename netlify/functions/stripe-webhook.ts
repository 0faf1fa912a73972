import { environmentContext } from '../server/context.ts'
import { postOnly } from '../server/endpoint.ts'
import { receiveEvent } from '../server/webhook.ts'

export const respond = postOnly('stripe-webhook', (request, context) => receiveEvent(context, request))

export default (request: Request) => respond(request, environmentContext)
