import { FIND_LATEST_ATTEMPT } from '../../domain/api/latestAttempt.ts'
import { findLatestAttempt } from '../server/endpoints/findLatestAttempt.ts'
import { getEnvironmentContext } from '../server/platform/context.ts'
import { createEndpoint } from '../server/platform/endpoint.ts'

export const respond = createEndpoint(FIND_LATEST_ATTEMPT, findLatestAttempt)

export default (request: Request) => respond(request, getEnvironmentContext)
