import { environmentContext } from '../server/context.ts'
import { deleteAccount } from '../server/deleteAccount.ts'
import { endpoint, nothing } from '../server/endpoint.ts'

export const respond = endpoint('delete-account', nothing, deleteAccount)

export default (request: Request) => respond(request, environmentContext)
