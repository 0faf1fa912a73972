import { ok } from '../../domain/common/result.ts'
import { createNetworkEndpoint, type Visitor } from '../server/endpoints/endpoint.ts'
import { serveRecipientPage } from '../server/payouts/recipientPage/recipientPage.ts'
import { getEnvironmentContext } from '../server/platform/context.ts'

interface Config {
  readonly path: string
}

export const config: Config = { path: '/t/*' }

export const respond = createNetworkEndpoint('recipient-page', async (context, request, ip) =>
  ok(await serveRecipientPage(context, request, ip)),
)

export default (request: Request, visitor: Visitor) => respond(request, getEnvironmentContext, visitor)
