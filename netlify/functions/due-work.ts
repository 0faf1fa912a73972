import { ok } from '../../domain/common/result.ts'
import { runDueWork } from '../server/endpoints/dueWork.ts'
import { getPayoutContext } from '../server/payouts/createContext.ts'
import { createPublicEndpoint } from '../server/platform/endpoint.ts'
import type { PaymentContext } from '../server/platform/payouts.ts'

interface Config {
  readonly schedule: string
}

export const config: Config = { schedule: '*/15 * * * *' }

export const respond = createPublicEndpoint('due-work', async (_request, context: PaymentContext) =>
  ok(await runDueWork(context)),
)

export default (request: Request) => respond(request, getPayoutContext)
