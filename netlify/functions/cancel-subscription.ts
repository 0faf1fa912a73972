import { cancellationRequest, cancelSubscription } from '../server/endpoints/cancelSubscription.ts'
import { environmentContext } from '../server/platform/context.ts'
import { endpoint } from '../server/platform/endpoint.ts'

export const respond = endpoint('cancel-subscription', cancellationRequest, cancelSubscription)

export default (request: Request) => respond(request, environmentContext)
