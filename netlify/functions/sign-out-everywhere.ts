import { signOutEverywhere } from '../server/endpoints/signOutEverywhere.ts'
import { environmentContext } from '../server/platform/context.ts'
import { endpoint, nothing } from '../server/platform/endpoint.ts'

export const respond = endpoint('sign-out-everywhere', nothing, signOutEverywhere)

export default (request: Request) => respond(request, environmentContext)
