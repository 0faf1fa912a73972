import type { SetupIntent } from './objects.ts'
import { fromCardDetails, saveFor } from './paymentMethods.ts'
import { documented, fail, ok, type Result, type StripeError } from './result.ts'
import type { Call } from './state.ts'

type CardDetails = Parameters<typeof fromCardDetails>[1]

/**
 * Saves a card for the customer of an intent. The issuer is asked whether the card is good, which charges nothing; a
 * cardholder whom the bank would ask is not asked here, as if they had answered it already.
 */
export function saveCard(call: Call, intent: SetupIntent, card: CardDetails['card']): Result<SetupIntent> {
  const presented = fromCardDetails(call, { type: 'card', card } as CardDetails)
  if (!presented.ok) return presented
  const { paymentMethod, outcome } = presented.value
  const answer = outcome.kind === 'authenticates' ? outcome.afterwards : outcome
  if (answer.kind === 'declines' && !canBeSaved(card.number)) {
    const { code, declineCode: decline_code, message } = answer
    const error: StripeError = documented({ type: 'card_error' as const, code, decline_code, message })
    intent.last_setup_error = error
    call.emit('setup_intent.setup_failed', intent)
    return fail({ kind: 'refused', status: 402, began: true, error })
  }
  paymentMethod.allow_redisplay = 'limited'
  saveFor(call, intent.customer, { paymentMethod, outcome: answer })
  intent.payment_method = paymentMethod.id
  intent.last_setup_error = null
  intent.status = 'succeeded'
  call.emit('setup_intent.succeeded', intent)
  return ok(intent)
}

/** The test card that is refused at each charge only. */
const canBeSaved = (number: string) => number.replace(/[\s-]/g, '') === '4000000000000341'
