import { LOOK_UP_INVOICE } from '../../domain/api/invoices.ts'
import { createEndpoint } from '../server/endpoints/endpoint.ts'
import { lookUpInvoice } from '../server/endpoints/lookUpInvoice.ts'
import { getEnvironmentContext } from '../server/platform/context.ts'

export const respond = createEndpoint(LOOK_UP_INVOICE, lookUpInvoice)

export default (request: Request) => respond(request, getEnvironmentContext)
