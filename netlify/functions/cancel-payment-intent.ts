import { CANCEL_PAYMENT_INTENT } from '../../domain/api/payments.ts'
import { cancelPaymentIntent } from '../server/endpoints/cancelPaymentIntent.ts'
import { payoutContext } from '../server/payouts/createContext.ts'
import { endpoint } from '../server/platform/endpoint.ts'

export const respond = endpoint(CANCEL_PAYMENT_INTENT, cancelPaymentIntent)

export default (request: Request) => respond(request, payoutContext)
