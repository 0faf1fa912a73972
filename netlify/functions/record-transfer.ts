import { RECORD_TRANSFER } from '../../domain/api/payments.ts'
import { recordTransfer } from '../server/endpoints/recordTransfer.ts'
import { getPayoutContext } from '../server/payouts/createContext.ts'
import { createEndpoint, type Host } from '../server/platform/endpoint.ts'

export const respond = createEndpoint(RECORD_TRANSFER, recordTransfer)

export default (request: Request, host: Host) => respond(request, getPayoutContext, host)
