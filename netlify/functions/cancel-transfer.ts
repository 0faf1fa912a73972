import { CANCEL_TRANSFER } from '../../domain/api/transfers.ts'
import { createEndpoint } from '../server/endpoints/endpoint.ts'
import { cancelTransfer } from '../server/payouts/cancelTransfer.ts'
import { getPayoutContext } from '../server/payouts/createContext.ts'

export const respond = createEndpoint(CANCEL_TRANSFER, cancelTransfer)

export default (request: Request) => respond(request, getPayoutContext)
