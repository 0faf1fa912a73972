import { SIGN_OUT_EVERYWHERE } from '../../domain/api/account.ts'
import { createEndpoint } from '../server/endpoints/endpoint.ts'
import { signOutEverywhere } from '../server/endpoints/signOutEverywhere.ts'
import { getEnvironmentContext } from '../server/platform/context.ts'

export const respond = createEndpoint(SIGN_OUT_EVERYWHERE, signOutEverywhere)

export default (request: Request) => respond(request, getEnvironmentContext)
