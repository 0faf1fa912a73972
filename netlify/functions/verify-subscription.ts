import { VERIFY_SUBSCRIPTION } from '../../domain/api/plans.ts'
import { verifySubscription } from '../server/endpoints/verifySubscription.ts'
import { environmentContext } from '../server/platform/context.ts'
import { endpoint } from '../server/platform/endpoint.ts'

export const respond = endpoint(VERIFY_SUBSCRIPTION, verifySubscription)

export default (request: Request) => respond(request, environmentContext)
