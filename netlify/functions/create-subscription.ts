import { createSubscription, subscriptionRequest } from '../server/endpoints/createSubscription.ts'
import { environmentContext } from '../server/platform/context.ts'
import { endpoint } from '../server/platform/endpoint.ts'

export const respond = endpoint('create-subscription', subscriptionRequest, createSubscription)

export default (request: Request) => respond(request, environmentContext)
