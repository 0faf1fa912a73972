import { LOOK_UP_WALLET_HOLDER } from '../../domain/api/wallets.ts'
import { createEndpoint } from '../server/endpoints/endpoint.ts'
import { getPayoutContext } from '../server/payouts/createContext.ts'
import { lookUpWalletHolder } from '../server/payouts/walletHolder.ts'

export const respond = createEndpoint(LOOK_UP_WALLET_HOLDER, lookUpWalletHolder)

export default (request: Request) => respond(request, getPayoutContext)
