import { VERIFY_SUBSCRIPTION } from '../../domain/api/plans.ts'
import { createEndpoint } from '../server/endpoints/endpoint.ts'
import { verifySubscription } from '../server/endpoints/verifySubscription.ts'
import { getEnvironmentContext } from '../server/platform/context.ts'

export const respond = createEndpoint(VERIFY_SUBSCRIPTION, verifySubscription)

export default (request: Request) => respond(request, getEnvironmentContext)
