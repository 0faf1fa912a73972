import { createPaymentIntent, paymentRequest } from '../server/endpoints/createPaymentIntent.ts'
import { environmentContext } from '../server/platform/context.ts'
import { endpoint } from '../server/platform/endpoint.ts'

export const respond = endpoint('create-payment-intent', paymentRequest, createPaymentIntent)

export default (request: Request) => respond(request, environmentContext)
