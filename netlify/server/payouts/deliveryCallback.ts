import { ok, type Result } from '../../../domain/result.ts'
import { object, pattern } from '../../../domain/schema.ts'
import { readBody } from '../platform/endpoint.ts'
import type { Refusal } from '../platform/refusals.ts'
import { deliver } from './deliver.ts'
import type { PayoutContext } from './payoutContext.ts'

/** Of all that a provider says, only which transfer it is about: `externalId` is what it was told to call it. */
const told = object({ externalId: pattern(/^pi_\w{1,250}$/) })

/**
 * A provider says that something became of a payout. Nobody signs that, so it is a hint: the provider is asked, and whoever makes it
 * up has us ask once a second at most. The answer says nothing about the transfer.
 *
 * @throws Stripe's or Firestore's error; the sweep asks later.
 */
export async function receiveCallback(
  context: PayoutContext,
  request: Request,
): Promise<Result<object, Refusal<'invalidRequest'>>> {
  const body = await readBody(request, told)
  if (!body.ok) return body
  if (context.payouts !== null) await deliver(context, body.value.externalId, { isHint: true })
  return ok({ received: true })
}
