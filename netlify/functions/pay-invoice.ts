import { invoicePaymentRequest, payInvoice } from '../server/endpoints/payInvoice.ts'
import { environmentContext } from '../server/platform/context.ts'
import { endpoint } from '../server/platform/endpoint.ts'

export const respond = endpoint('pay-invoice', invoicePaymentRequest, payInvoice)

export default (request: Request) => respond(request, environmentContext)
