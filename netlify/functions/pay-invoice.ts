import { environmentContext } from '../server/context.ts'
import { endpoint } from '../server/endpoint.ts'
import { invoicePaymentRequest, payInvoice } from '../server/payInvoice.ts'

export const respond = endpoint('pay-invoice', invoicePaymentRequest, payInvoice)

export default (request: Request) => respond(request, environmentContext)
