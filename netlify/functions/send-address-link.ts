import { SEND_ADDRESS_LINK } from '../../domain/api/account.ts'
import { createEndpoint } from '../server/endpoints/endpoint.ts'
import { sendAddressLink } from '../server/endpoints/sendAddressLink.ts'
import { getEnvironmentContext } from '../server/platform/context.ts'

export const respond = createEndpoint(SEND_ADDRESS_LINK, sendAddressLink, ({ verifyToken }) => verifyToken)

export default (request: Request) => respond(request, getEnvironmentContext)
