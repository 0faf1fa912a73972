import { RECORD_TRANSFER } from '../../domain/api/payments.ts'
import { recordTransfer } from '../server/endpoints/recordTransfer.ts'
import { environmentContext } from '../server/platform/context.ts'
import { endpoint } from '../server/platform/endpoint.ts'

export const respond = endpoint(RECORD_TRANSFER, recordTransfer)

export default (request: Request) => respond(request, environmentContext)
