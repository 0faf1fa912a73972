import { CHANGE_CARD } from '../../domain/api/plans.ts'
import { changeCard } from '../server/endpoints/changeCard.ts'
import { createEndpoint } from '../server/endpoints/endpoint.ts'
import { getEnvironmentContext } from '../server/platform/context.ts'

export const respond = createEndpoint(CHANGE_CARD, changeCard)

export default (request: Request) => respond(request, getEnvironmentContext)
