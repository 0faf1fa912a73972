import { CREATE_PAYMENT_INTENT } from '../../domain/api/payments.ts'
import { createPaymentIntent } from '../server/endpoints/createPaymentIntent.ts'
import { createEndpoint } from '../server/endpoints/endpoint.ts'
import { getPayoutContext } from '../server/payouts/createContext.ts'

export const respond = createEndpoint(CREATE_PAYMENT_INTENT, createPaymentIntent)

export default (request: Request) => respond(request, getPayoutContext)
