import { CANCEL_TRANSFER } from '../../domain/api/transfers.ts'
import { cancelTransfer } from '../server/payouts/cancelTransfer.ts'
import { getPayoutContext } from '../server/payouts/createContext.ts'
import { createEndpoint } from '../server/platform/endpoint.ts'

export const respond = createEndpoint(CANCEL_TRANSFER, cancelTransfer)

export default (request: Request) => respond(request, getPayoutContext)
