import { CREATE_SUBSCRIPTION } from '../../domain/api/plans.ts'
import { createSubscription } from '../server/endpoints/createSubscription.ts'
import { createEndpoint } from '../server/endpoints/endpoint.ts'
import { getEnvironmentContext } from '../server/platform/context.ts'

export const respond = createEndpoint(CREATE_SUBSCRIPTION, createSubscription)

export default (request: Request) => respond(request, getEnvironmentContext)
