import { CHANGE_CARD } from '../../domain/api/plans.ts'
import { changeCard } from '../server/endpoints/changeCard.ts'
import { environmentContext } from '../server/platform/context.ts'
import { endpoint } from '../server/platform/endpoint.ts'

export const respond = endpoint(CHANGE_CARD, changeCard)

export default (request: Request) => respond(request, environmentContext)
