/**
 * Listens for the text message with the code, where the browser may read it (WebOTP). Answers how to stop. Elsewhere the
 * keyboard offers the code, by the field's `one-time-code`.
 */
export function receiveCode(onCode: (code: string) => void): () => void {
  if (!('OTPCredential' in window)) return () => undefined
  const waiting = new AbortController()
  const request = { otp: { transport: ['sms'] }, signal: waiting.signal }
  navigator.credentials
    .get(request as CredentialRequestOptions)
    .then((received) => {
      const code = (received as { code?: unknown } | null)?.code
      if (typeof code === 'string') onCode(code)
    })
    // The person has declined, or nothing waits for the code any more. Then the code is typed.
    .catch(() => undefined)
  return () => waiting.abort()
}
