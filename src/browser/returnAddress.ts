/** The URL proves nothing: only the server knows the outcome. Specification, section 2. */
export function parseReturnAddress():
  | { readonly kind: 'payment'; readonly paymentIntentId: string }
  | { readonly kind: 'checkout'; readonly sessionId: string }
  | null {
  const query = new URLSearchParams(location.search)
  const paymentIntentId = query.get('payment_intent')
  const sessionId = query.get('session_id')
  if (location.pathname === '/payment-complete' && paymentIntentId)
    return { kind: 'payment', paymentIntentId }
  return location.pathname === '/settings' && sessionId !== null ? { kind: 'checkout', sessionId } : null
}
