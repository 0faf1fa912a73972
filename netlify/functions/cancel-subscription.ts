import { CANCEL_SUBSCRIPTION } from '../../domain/api/plans.ts'
import { cancelSubscription } from '../server/endpoints/cancelSubscription.ts'
import { createEndpoint } from '../server/endpoints/endpoint.ts'
import { getEnvironmentContext } from '../server/platform/context.ts'

export const respond = createEndpoint(CANCEL_SUBSCRIPTION, cancelSubscription)

export default (request: Request) => respond(request, getEnvironmentContext)
