import { environmentContext } from '../server/context.ts'
import { endpoint } from '../server/endpoint.ts'
import { lookUpInvoice, lookupRequest } from '../server/lookUpInvoice.ts'

export const respond = endpoint('lookup-invoice', lookupRequest, lookUpInvoice)

export default (request: Request) => respond(request, environmentContext)
