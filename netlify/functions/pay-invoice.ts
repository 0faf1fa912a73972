import { PAY_INVOICE } from '../../domain/api/invoices.ts'
import { createEndpoint } from '../server/endpoints/endpoint.ts'
import { payInvoice } from '../server/endpoints/payInvoice.ts'
import { getEnvironmentContext } from '../server/platform/context.ts'

export const respond = createEndpoint(PAY_INVOICE, payInvoice)

export default (request: Request) => respond(request, getEnvironmentContext)
