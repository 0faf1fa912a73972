import { RECORD_TRANSFER } from '../../domain/api/payments.ts'
import { createEndpoint, type Host } from '../server/endpoints/endpoint.ts'
import { recordTransfer } from '../server/endpoints/recordTransfer.ts'
import { getPayoutContext } from '../server/payouts/createContext.ts'

export const respond = createEndpoint(RECORD_TRANSFER, recordTransfer)

export default (request: Request, host: Host) => respond(request, getPayoutContext, host)
