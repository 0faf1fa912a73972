import { SIGN_OUT_EVERYWHERE } from '../../domain/api/account.ts'
import { signOutEverywhere } from '../server/endpoints/signOutEverywhere.ts'
import { environmentContext } from '../server/platform/context.ts'
import { endpoint } from '../server/platform/endpoint.ts'

export const respond = endpoint(SIGN_OUT_EVERYWHERE, signOutEverywhere)

export default (request: Request) => respond(request, environmentContext)
