import { ok } from '../../domain/common/result.ts'
import { runDueWork } from '../server/endpoints/dueWork.ts'
import { createPublicEndpoint } from '../server/endpoints/endpoint.ts'
import { getPayoutContext } from '../server/payouts/createContext.ts'
import type { PayoutContext } from '../server/payouts/payoutContext.ts'
import { createWaitsChore } from '../server/payouts/waits.ts'

interface Config {
  readonly schedule: string
}

export const config: Config = { schedule: '*/15 * * * *' }

export const respond = createPublicEndpoint('due-work', async (_request, context: PayoutContext) =>
  ok(await runDueWork(context, [createWaitsChore(context)])),
)

export default (request: Request) => respond(request, getPayoutContext)
