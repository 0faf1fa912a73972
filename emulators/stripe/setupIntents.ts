import type { SetupIntent } from './objects.ts'
import { createCardPaymentMethod, savePaymentMethod } from './paymentMethods.ts'
import { addDocUrl, failCard } from './refusals.ts'
import type { Call } from './state.ts'

type CardDetails = Parameters<typeof createCardPaymentMethod>[1]

/** The issuer checks the card without a charge, and 3-D Secure is skipped; later charges require it. */
export function completeSetupIntent(call: Call, intent: SetupIntent, card: CardDetails['card']): void {
  const presented = createCardPaymentMethod(call, { type: 'card', card } as CardDetails)
  const { paymentMethod, outcome } = presented
  const answer = outcome.kind === 'authenticates' ? outcome.afterwards : outcome
  if (answer.kind === 'declines' && !canBeSaved(card.number)) {
    const { code, declineCode: decline_code, message } = answer
    const error = { code, decline_code, message, payment_method: structuredClone(paymentMethod) }
    intent.last_setup_error = addDocUrl({ type: 'card_error' as const, ...error })
    call.emit('setup_intent.setup_failed', intent)
    failCard(error)
  }
  paymentMethod.allow_redisplay = 'limited'
  savePaymentMethod(call, intent.customer, presented)
  intent.payment_method = paymentMethod.id
  intent.last_setup_error = null
  intent.status = 'succeeded'
  call.emit('setup_intent.succeeded', intent)
}

/** True of one test card. */
const canBeSaved = (number: string) => number.replace(/[\s-]/g, '') === '4000000000000341'
