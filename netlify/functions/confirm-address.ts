import { confirmAddress, confirmRequest } from '../server/endpoints/confirmAddress.ts'
import { environmentContext } from '../server/platform/context.ts'
import { endpoint } from '../server/platform/endpoint.ts'

export const respond = endpoint(
  'confirm-address',
  confirmRequest,
  confirmAddress,
  ({ verifySession }) => verifySession,
)

export default (request: Request) => respond(request, environmentContext)
