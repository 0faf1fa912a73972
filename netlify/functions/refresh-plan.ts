import { REFRESH_PLAN } from '../../domain/api/plans.ts'
import { refreshPlan } from '../server/endpoints/refreshPlan.ts'
import { getEnvironmentContext } from '../server/platform/context.ts'
import { createEndpoint } from '../server/platform/endpoint.ts'

export const respond = createEndpoint(REFRESH_PLAN, refreshPlan)

export default (request: Request) => respond(request, getEnvironmentContext)
