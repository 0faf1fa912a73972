import { SIGN_OUT_EVERYWHERE } from '../../domain/api/account.ts'
import { signOutEverywhere } from '../server/endpoints/signOutEverywhere.ts'
import { getEnvironmentContext } from '../server/platform/context.ts'
import { createEndpoint } from '../server/platform/endpoint.ts'

export const respond = createEndpoint(SIGN_OUT_EVERYWHERE, signOutEverywhere)

export default (request: Request) => respond(request, getEnvironmentContext)
