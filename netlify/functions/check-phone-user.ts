import { checkPhoneUser } from '../server/endpoints/checkPhoneUser.ts'
import { createNetworkEndpoint, type Visitor } from '../server/endpoints/endpoint.ts'
import { getEnvironmentContext } from '../server/platform/context.ts'

export const respond = createNetworkEndpoint('check-phone-user', checkPhoneUser)

export default (request: Request, visitor: Visitor) => respond(request, getEnvironmentContext, visitor)
