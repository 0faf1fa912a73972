import { lookUpInvoice, lookupRequest } from '../server/endpoints/lookUpInvoice.ts'
import { environmentContext } from '../server/platform/context.ts'
import { endpoint } from '../server/platform/endpoint.ts'

export const respond = endpoint('lookup-invoice', lookupRequest, lookUpInvoice)

export default (request: Request) => respond(request, environmentContext)
