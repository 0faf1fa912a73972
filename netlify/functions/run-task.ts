import { createPublicEndpoint, type Host } from '../server/endpoints/endpoint.ts'
import { runTask } from '../server/endpoints/runTask.ts'
import { getPayoutContext } from '../server/payouts/createContext.ts'
import type { PaymentContext } from '../server/platform/payouts.ts'

export const respond = createPublicEndpoint('run-task', (request, context: PaymentContext) =>
  runTask(context, request),
)

export default (request: Request, host: Host) => respond(request, getPayoutContext, host)
