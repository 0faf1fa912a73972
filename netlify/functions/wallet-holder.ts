import { WALLET_HOLDER } from '../../domain/api/wallets.ts'
import { payoutContext } from '../server/payouts/createContext.ts'
import { walletHolder } from '../server/payouts/walletHolder.ts'
import { endpoint } from '../server/platform/endpoint.ts'

export const respond = endpoint(WALLET_HOLDER, walletHolder)

export default (request: Request) => respond(request, payoutContext)
