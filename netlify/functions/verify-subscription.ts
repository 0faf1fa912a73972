import { VERIFY_SUBSCRIPTION } from '../../domain/api/plans.ts'
import { verifySubscription } from '../server/endpoints/verifySubscription.ts'
import { getEnvironmentContext } from '../server/platform/context.ts'
import { createEndpoint } from '../server/platform/endpoint.ts'

export const respond = createEndpoint(VERIFY_SUBSCRIPTION, verifySubscription)

export default (request: Request) => respond(request, getEnvironmentContext)
