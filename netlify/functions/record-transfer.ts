import { environmentContext } from '../server/context.ts'
import { endpoint } from '../server/endpoint.ts'
import { recordRequest, recordTransfer } from '../server/payments.ts'

export const respond = endpoint('record-transfer', recordRequest, recordTransfer)

export default (request: Request) => respond(request, environmentContext)
