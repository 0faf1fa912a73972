import { environmentContext } from '../server/context.ts'
import { endpoint } from '../server/endpoint.ts'
import { cancellationRequest, cancelSubscription } from '../server/planChanges.ts'

export const respond = endpoint('cancel-subscription', cancellationRequest, cancelSubscription)

export default (request: Request) => respond(request, environmentContext)
