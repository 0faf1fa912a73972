import { DELETE_ACCOUNT } from '../../domain/api/account.ts'
import { deleteAccount } from '../server/endpoints/deleteAccount.ts'
import { environmentContext } from '../server/platform/context.ts'
import { endpoint } from '../server/platform/endpoint.ts'

export const respond = endpoint(DELETE_ACCOUNT, deleteAccount)

export default (request: Request) => respond(request, environmentContext)
