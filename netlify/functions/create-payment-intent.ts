import { CREATE_PAYMENT_INTENT } from '../../domain/api/payments.ts'
import { createPaymentIntent } from '../server/endpoints/createPaymentIntent.ts'
import { environmentContext } from '../server/platform/context.ts'
import { endpoint } from '../server/platform/endpoint.ts'

export const respond = endpoint(CREATE_PAYMENT_INTENT, createPaymentIntent)

export default (request: Request) => respond(request, environmentContext)
