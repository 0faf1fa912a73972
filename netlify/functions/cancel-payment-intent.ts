import { environmentContext } from '../server/context.ts'
import { endpoint } from '../server/endpoint.ts'
import { cancelPaymentIntent, cancelRequest } from '../server/payments.ts'

export const respond = endpoint('cancel-payment-intent', cancelRequest, cancelPaymentIntent)

export default (request: Request) => respond(request, environmentContext)
