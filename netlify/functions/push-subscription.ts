import { PUSH_SUBSCRIPTION } from '../../domain/api/notifications.ts'
import { pushSubscription } from '../server/endpoints/pushSubscription.ts'
import { environmentContext } from '../server/platform/context.ts'
import { endpoint } from '../server/platform/endpoint.ts'

export const respond = endpoint(PUSH_SUBSCRIPTION, pushSubscription)

export default (request: Request) => respond(request, environmentContext)
