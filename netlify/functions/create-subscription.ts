import { environmentContext } from '../server/context.ts'
import { createSubscription, subscriptionRequest } from '../server/createSubscription.ts'
import { endpoint } from '../server/endpoint.ts'

export const respond = endpoint('create-subscription', subscriptionRequest, createSubscription)

export default (request: Request) => respond(request, environmentContext)
