import { PUSH_SUBSCRIPTION } from '../../domain/api/notifications.ts'
import { payoutContext } from '../server/payouts/createContext.ts'
import { pushSubscription } from '../server/payouts/push/pushSubscription.ts'
import { endpoint } from '../server/platform/endpoint.ts'

export const respond = endpoint(PUSH_SUBSCRIPTION, pushSubscription)

export default (request: Request) => respond(request, payoutContext)
