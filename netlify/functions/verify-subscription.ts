import { verificationRequest, verifySubscription } from '../server/endpoints/verifySubscription.ts'
import { environmentContext } from '../server/platform/context.ts'
import { endpoint } from '../server/platform/endpoint.ts'

export const respond = endpoint('verify-subscription', verificationRequest, verifySubscription)

export default (request: Request) => respond(request, environmentContext)
