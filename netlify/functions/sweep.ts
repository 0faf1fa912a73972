import { ok } from '../../src/domain/result.ts'
import { environmentContext } from '../server/context.ts'
import { postOnly } from '../server/endpoint.ts'
import { sweep } from '../server/sweep.ts'

interface Config {
  readonly schedule: string
}

export const config: Config = { schedule: '*/15 * * * *' }

export const respond = postOnly('sweep', async (_request, context) => ok(await sweep(context)))

export default (request: Request) => respond(request, environmentContext)
