import { PAY_INVOICE } from '../../domain/api/invoices.ts'
import { payInvoice } from '../server/endpoints/payInvoice.ts'
import { environmentContext } from '../server/platform/context.ts'
import { endpoint } from '../server/platform/endpoint.ts'

export const respond = endpoint(PAY_INVOICE, payInvoice)

export default (request: Request) => respond(request, environmentContext)
