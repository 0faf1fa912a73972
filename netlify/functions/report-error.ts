import { createNetworkEndpoint, type Visitor } from '../server/endpoints/endpoint.ts'
import { reportError } from '../server/endpoints/reportError.ts'
import { getEnvironmentContext } from '../server/platform/context.ts'

export const respond = createNetworkEndpoint('report-error', reportError)

export default (request: Request, visitor: Visitor) => respond(request, getEnvironmentContext, visitor)
