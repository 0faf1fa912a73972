import { CHANGE_CARD } from '../../domain/api/plans.ts'
import { changeCard } from '../server/endpoints/changeCard.ts'
import { getEnvironmentContext } from '../server/platform/context.ts'
import { createEndpoint } from '../server/platform/endpoint.ts'

export const respond = createEndpoint(CHANGE_CARD, changeCard)

export default (request: Request) => respond(request, getEnvironmentContext)
