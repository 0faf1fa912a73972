import { RECORD_TRANSFER } from '../../domain/api/payments.ts'
import { recordTransfer } from '../server/endpoints/recordTransfer.ts'
import { payoutContext } from '../server/payouts/createContext.ts'
import { endpoint } from '../server/platform/endpoint.ts'

export const respond = endpoint(RECORD_TRANSFER, recordTransfer)

export default (request: Request) => respond(request, payoutContext)
