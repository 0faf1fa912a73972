import { cancelPaymentIntent } from '../server/endpoints/cancelPaymentIntent.ts'
import { environmentContext } from '../server/platform/context.ts'
import { endpoint } from '../server/platform/endpoint.ts'
import { byAttempt } from '../server/platform/requests.ts'

export const respond = endpoint('cancel-payment-intent', byAttempt, cancelPaymentIntent)

export default (request: Request) => respond(request, environmentContext)
