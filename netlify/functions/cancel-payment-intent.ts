import { cancelPaymentIntent, cancelRequest } from '../server/endpoints/cancelPaymentIntent.ts'
import { environmentContext } from '../server/platform/context.ts'
import { endpoint } from '../server/platform/endpoint.ts'

export const respond = endpoint('cancel-payment-intent', cancelRequest, cancelPaymentIntent)

export default (request: Request) => respond(request, environmentContext)
