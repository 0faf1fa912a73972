import { PAY_INVOICE } from '../../domain/api/invoices.ts'
import { payInvoice } from '../server/endpoints/payInvoice.ts'
import { getEnvironmentContext } from '../server/platform/context.ts'
import { createEndpoint } from '../server/platform/endpoint.ts'

export const respond = createEndpoint(PAY_INVOICE, payInvoice)

export default (request: Request) => respond(request, getEnvironmentContext)
