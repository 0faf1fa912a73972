import { CANCEL_SUBSCRIPTION } from '../../domain/api/plans.ts'
import { cancelSubscription } from '../server/endpoints/cancelSubscription.ts'
import { environmentContext } from '../server/platform/context.ts'
import { endpoint } from '../server/platform/endpoint.ts'

export const respond = endpoint(CANCEL_SUBSCRIPTION, cancelSubscription)

export default (request: Request) => respond(request, environmentContext)
