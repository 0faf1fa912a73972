import { CREATE_SUBSCRIPTION } from '../../domain/api/plans.ts'
import { createSubscription } from '../server/endpoints/createSubscription.ts'
import { environmentContext } from '../server/platform/context.ts'
import { endpoint } from '../server/platform/endpoint.ts'

export const respond = endpoint(CREATE_SUBSCRIPTION, createSubscription)

export default (request: Request) => respond(request, environmentContext)
