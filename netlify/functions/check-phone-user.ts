import { checkPhoneUser } from '../server/endpoints/checkPhoneUser.ts'
import { type Context, environmentContext } from '../server/platform/context.ts'
import { publicEndpoint } from '../server/platform/endpoint.ts'

/** What the host says of whoever calls. */
interface Visitor {
  readonly ip: string
}

export const respond = (request: Request, provideContext: () => Context, { ip }: Visitor) =>
  publicEndpoint('check-phone-user', (asked, context) => checkPhoneUser(context, asked, ip))(
    request,
    provideContext,
  )

export default (request: Request, visitor: Visitor) => respond(request, environmentContext, visitor)
