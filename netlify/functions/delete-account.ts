import { deleteAccount } from '../server/endpoints/deleteAccount.ts'
import { environmentContext } from '../server/platform/context.ts'
import { endpoint, nothing } from '../server/platform/endpoint.ts'

export const respond = endpoint('delete-account', nothing, deleteAccount)

export default (request: Request) => respond(request, environmentContext)
