import { cancelSubscription } from '../server/endpoints/cancelSubscription.ts'
import { environmentContext } from '../server/platform/context.ts'
import { endpoint } from '../server/platform/endpoint.ts'
import { bySubscription } from '../server/platform/requests.ts'

export const respond = endpoint('cancel-subscription', bySubscription, cancelSubscription)

export default (request: Request) => respond(request, environmentContext)
