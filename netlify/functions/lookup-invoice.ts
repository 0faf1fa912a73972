import { LOOKUP_INVOICE } from '../../domain/api/invoices.ts'
import { lookUpInvoice } from '../server/endpoints/lookUpInvoice.ts'
import { environmentContext } from '../server/platform/context.ts'
import { endpoint } from '../server/platform/endpoint.ts'

export const respond = endpoint(LOOKUP_INVOICE, lookUpInvoice)

export default (request: Request) => respond(request, environmentContext)
