import { cardChangeRequest, changeCard } from '../server/endpoints/changeCard.ts'
import { environmentContext } from '../server/platform/context.ts'
import { endpoint } from '../server/platform/endpoint.ts'

export const respond = endpoint('change-card', cardChangeRequest, changeCard)

export default (request: Request) => respond(request, environmentContext)
