import { CANCEL_PAYMENT_INTENT } from '../../domain/api/payments.ts'
import { cancelPaymentIntent } from '../server/endpoints/cancelPaymentIntent.ts'
import { createEndpoint, type Host } from '../server/endpoints/endpoint.ts'
import { getPayoutContext } from '../server/payouts/createContext.ts'

export const respond = createEndpoint(CANCEL_PAYMENT_INTENT, cancelPaymentIntent)

export default (request: Request, host: Host) => respond(request, getPayoutContext, host)
