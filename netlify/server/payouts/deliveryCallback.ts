import * as v from 'valibot'
import { ok, type Result } from '../../../domain/common/result.ts'
import { readBody } from '../endpoints/endpoint.ts'
import type { Refusal } from '../platform/refusals.ts'
import { advanceDelivery } from './deliver.ts'
import { deliveries } from './orderRecords.ts'
import type { PayoutContext } from './payoutContext.ts'

/** The transfer's ID, which we sent as `externalId`. */
const callbackBody = v.object({ externalId: v.pipe(v.string(), v.regex(/^pi_\w{1,250}$/)) })

/**
 * The callback is unsigned, so it is only a hint to ask the provider. The answer says nothing about the
 * transfer. @throws Stripe's or Firestore's error; the due-work job asks later.
 */
export async function receivePayoutCallback(
  context: PayoutContext,
  request: Request,
): Promise<Result<object, Refusal<'invalidRequest'>>> {
  const body = await readBody(request, callbackBody)
  if (!body.ok) return body
  const { externalId: id } = body.value
  if (context.payouts === null) return ok({ received: true })
  // Anyone can send an unknown ID, so it begins no transaction.
  const { exists } = await deliveries(context.db).doc(id).get()
  if (exists) await advanceDelivery(context, id, { isHint: true })
  return ok({ received: true })
}
