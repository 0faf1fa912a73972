import { CONFIRM_ADDRESS } from '../../domain/api/account.ts'
import { confirmAddress } from '../server/endpoints/confirmAddress.ts'
import { environmentContext } from '../server/platform/context.ts'
import { endpoint } from '../server/platform/endpoint.ts'

export const respond = endpoint(CONFIRM_ADDRESS, confirmAddress, ({ verifySession }) => verifySession)

export default (request: Request) => respond(request, environmentContext)
