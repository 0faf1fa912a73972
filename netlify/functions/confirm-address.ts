import { confirmAddress } from '../server/confirmAddress.ts'
import { environmentContext } from '../server/context.ts'
import { endpoint, nothing } from '../server/endpoint.ts'

export const respond = endpoint(
  'confirm-address',
  nothing,
  confirmAddress,
  ({ verifySession }) => verifySession,
)

export default (request: Request) => respond(request, environmentContext)
