import { cardChangeRequest, changeCard } from '../server/cardChange.ts'
import { environmentContext } from '../server/context.ts'
import { endpoint } from '../server/endpoint.ts'

export const respond = endpoint('change-card', cardChangeRequest, changeCard)

export default (request: Request) => respond(request, environmentContext)
