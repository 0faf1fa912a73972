import { ok } from '../../domain/result.ts'
import { sweep } from '../server/endpoints/sweep.ts'
import { environmentContext } from '../server/platform/context.ts'
import { publicEndpoint } from '../server/platform/endpoint.ts'

interface Config {
  readonly schedule: string
}

export const config: Config = { schedule: '*/15 * * * *' }

export const respond = publicEndpoint('sweep', async (_request, context) => ok(await sweep(context)))

export default (request: Request) => respond(request, environmentContext)
