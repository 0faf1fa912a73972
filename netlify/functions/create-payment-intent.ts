import { environmentContext } from '../server/context.ts'
import { createPaymentIntent, paymentRequest } from '../server/createPaymentIntent.ts'
import { endpoint } from '../server/endpoint.ts'

export const respond = endpoint('create-payment-intent', paymentRequest, createPaymentIntent)

export default (request: Request) => respond(request, environmentContext)
