import { CONFIRM_ADDRESS } from '../../domain/api/account.ts'
import { confirmAddress } from '../server/endpoints/confirmAddress.ts'
import { createEndpoint } from '../server/endpoints/endpoint.ts'
import { getEnvironmentContext } from '../server/platform/context.ts'

export const respond = createEndpoint(CONFIRM_ADDRESS, confirmAddress, ({ verifySession }) => verifySession)

export default (request: Request) => respond(request, getEnvironmentContext)
