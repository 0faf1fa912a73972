import { WALLET_HOLDER } from '../../domain/api/wallets.ts'
import { walletHolder } from '../server/endpoints/walletHolder.ts'
import { environmentContext } from '../server/platform/context.ts'
import { endpoint } from '../server/platform/endpoint.ts'

export const respond = endpoint(WALLET_HOLDER, walletHolder)

export default (request: Request) => respond(request, environmentContext)
