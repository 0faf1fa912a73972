import { ok } from '../../domain/result.ts'
import { recipientPage } from '../server/payouts/recipientPage/recipientPage.ts'
import { type Context, environmentContext } from '../server/platform/context.ts'
import { publicEndpoint } from '../server/platform/endpoint.ts'

/** What the host says of whoever calls. */
interface Visitor {
  readonly ip: string
}

interface Config {
  readonly path: string
}

export const config: Config = { path: '/t/*' }

export const respond = (request: Request, provideContext: () => Context, { ip }: Visitor) =>
  publicEndpoint('recipient-page', async (asked, context) => ok(await recipientPage(context, asked, ip)))(
    request,
    provideContext,
  )

export default (request: Request, visitor: Visitor) => respond(request, environmentContext, visitor)
