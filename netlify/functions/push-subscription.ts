import { pushSubscription, subscribing } from '../server/endpoints/pushSubscription.ts'
import { environmentContext } from '../server/platform/context.ts'
import { endpoint } from '../server/platform/endpoint.ts'

export const respond = endpoint('push-subscription', subscribing, pushSubscription)

export default (request: Request) => respond(request, environmentContext)
