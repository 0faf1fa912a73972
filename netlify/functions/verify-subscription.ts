import { environmentContext } from '../server/context.ts'
import { question } from '../server/endpoint.ts'
import { verificationRequest, verifySubscription } from '../server/planChanges.ts'

export const respond = question('verify-subscription', verificationRequest, verifySubscription)

export default (request: Request) => respond(request, environmentContext)
