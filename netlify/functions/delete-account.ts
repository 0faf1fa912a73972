import { DELETE_ACCOUNT } from '../../domain/api/account.ts'
import { deleteAccount } from '../server/endpoints/deleteAccount.ts'
import { createEndpoint } from '../server/endpoints/endpoint.ts'
import { getEnvironmentContext } from '../server/platform/context.ts'

export const respond = createEndpoint(DELETE_ACCOUNT, deleteAccount)

export default (request: Request) => respond(request, getEnvironmentContext)
