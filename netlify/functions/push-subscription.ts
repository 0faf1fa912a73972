import { SET_PUSH_SUBSCRIPTION } from '../../domain/api/notifications.ts'
import { createEndpoint } from '../server/endpoints/endpoint.ts'
import { getPayoutContext } from '../server/payouts/createContext.ts'
import { updatePushSubscription } from '../server/payouts/push/updatePushSubscription.ts'

export const respond = createEndpoint(SET_PUSH_SUBSCRIPTION, updatePushSubscription)

export default (request: Request) => respond(request, getPayoutContext)
