import { DELETE_ACCOUNT } from '../../domain/api/account.ts'
import { deleteAccount } from '../server/endpoints/deleteAccount.ts'
import { getEnvironmentContext } from '../server/platform/context.ts'
import { createEndpoint } from '../server/platform/endpoint.ts'

export const respond = createEndpoint(DELETE_ACCOUNT, deleteAccount)

export default (request: Request) => respond(request, getEnvironmentContext)
