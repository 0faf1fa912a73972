import type { SetupIntent } from './objects.ts'
import { createCardPaymentMethod, savePaymentMethod } from './paymentMethods.ts'
import { addDocUrl, fail, ok, type Result, type StripeError } from './result.ts'
import type { Call } from './state.ts'

type CardDetails = Parameters<typeof createCardPaymentMethod>[1]

/** The issuer checks the card without a charge, and 3-D Secure is skipped; later charges require it. */
export function completeSetupIntent(
  call: Call,
  intent: SetupIntent,
  card: CardDetails['card'],
): Result<SetupIntent> {
  const presented = createCardPaymentMethod(call, { type: 'card', card } as CardDetails)
  if (!presented.ok) return presented
  const { paymentMethod, outcome } = presented.value
  const answer = outcome.kind === 'authenticates' ? outcome.afterwards : outcome
  if (answer.kind === 'declines' && !canBeSaved(card.number)) {
    const { code, declineCode: decline_code, message } = answer
    const error: StripeError = addDocUrl({
      type: 'card_error' as const,
      code,
      decline_code,
      message,
      payment_method: structuredClone(paymentMethod),
    })
    intent.last_setup_error = error
    call.emit('setup_intent.setup_failed', intent)
    return fail({ kind: 'refused', status: 402, began: true, error })
  }
  paymentMethod.allow_redisplay = 'limited'
  savePaymentMethod(call, intent.customer, presented.value)
  intent.payment_method = paymentMethod.id
  intent.last_setup_error = null
  intent.status = 'succeeded'
  call.emit('setup_intent.succeeded', intent)
  return ok(intent)
}

/** True of one test card. */
const canBeSaved = (number: string) => number.replace(/[\s-]/g, '') === '4000000000000341'
