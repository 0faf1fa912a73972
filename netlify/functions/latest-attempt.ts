import { FIND_LATEST_ATTEMPT } from '../../domain/api/latestAttempt.ts'
import { createEndpoint } from '../server/endpoints/endpoint.ts'
import { findLatestAttempt } from '../server/endpoints/findLatestAttempt.ts'
import { getEnvironmentContext } from '../server/platform/context.ts'

export const respond = createEndpoint(FIND_LATEST_ATTEMPT, findLatestAttempt)

export default (request: Request) => respond(request, getEnvironmentContext)
