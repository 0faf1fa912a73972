import { environmentContext } from '../server/context.ts'
import { endpoint, nothing } from '../server/endpoint.ts'
import { signOutEverywhere } from '../server/signOutEverywhere.ts'

export const respond = endpoint('sign-out-everywhere', nothing, signOutEverywhere)

export default (request: Request) => respond(request, environmentContext)
