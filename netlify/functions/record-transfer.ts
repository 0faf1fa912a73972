import { recordRequest, recordTransfer } from '../server/endpoints/recordTransfer.ts'
import { environmentContext } from '../server/platform/context.ts'
import { endpoint } from '../server/platform/endpoint.ts'

export const respond = endpoint('record-transfer', recordRequest, recordTransfer)

export default (request: Request) => respond(request, environmentContext)
