import { REFRESH_PLAN } from '../../domain/api/plans.ts'
import { createEndpoint } from '../server/endpoints/endpoint.ts'
import { refreshPlan } from '../server/endpoints/refreshPlan.ts'
import { getEnvironmentContext } from '../server/platform/context.ts'

export const respond = createEndpoint(REFRESH_PLAN, refreshPlan)

export default (request: Request) => respond(request, getEnvironmentContext)
