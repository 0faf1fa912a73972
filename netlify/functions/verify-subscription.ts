import { verificationRequest, verifySubscription } from '../server/endpoints/verifySubscription.ts'
import { environmentContext } from '../server/platform/context.ts'
import { question } from '../server/platform/endpoint.ts'

export const respond = question('verify-subscription', verificationRequest, verifySubscription)

export default (request: Request) => respond(request, environmentContext)
