import { ok } from '../../domain/result.ts'
import { sweep } from '../server/endpoints/sweep.ts'
import { payoutContext } from '../server/payouts/createContext.ts'
import { publicEndpoint } from '../server/platform/endpoint.ts'
import type { PaymentContext } from '../server/platform/payouts.ts'

interface Config {
  readonly schedule: string
}

export const config: Config = { schedule: '*/15 * * * *' }

export const respond = publicEndpoint('sweep', async (_request, context: PaymentContext) =>
  ok(await sweep(context)),
)

export default (request: Request) => respond(request, payoutContext)
