import { holderRequest, walletHolder } from '../server/endpoints/walletHolder.ts'
import { environmentContext } from '../server/platform/context.ts'
import { endpoint } from '../server/platform/endpoint.ts'

export const respond = endpoint('wallet-holder', holderRequest, walletHolder)

export default (request: Request) => respond(request, environmentContext)
