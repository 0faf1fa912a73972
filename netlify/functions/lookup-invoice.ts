import { LOOK_UP_INVOICE } from '../../domain/api/invoices.ts'
import { lookUpInvoice } from '../server/endpoints/lookUpInvoice.ts'
import { getEnvironmentContext } from '../server/platform/context.ts'
import { createEndpoint } from '../server/platform/endpoint.ts'

export const respond = createEndpoint(LOOK_UP_INVOICE, lookUpInvoice)

export default (request: Request) => respond(request, getEnvironmentContext)
