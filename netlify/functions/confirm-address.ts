import { confirmAddress, confirmRequest } from '../server/confirmAddress.ts'
import { environmentContext } from '../server/context.ts'
import { endpoint } from '../server/endpoint.ts'

export const respond = endpoint(
  'confirm-address',
  confirmRequest,
  confirmAddress,
  ({ verifySession }) => verifySession,
)

export default (request: Request) => respond(request, environmentContext)
