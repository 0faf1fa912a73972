import { readdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { Hono } from 'hono'
import type { PaymentIntent } from './objects.ts'
import { answerAuthentication, findPendingAuthentication } from './paymentIntents.ts'
import type { Call, StripeState } from './state.ts'

const TYPES = { js: 'text/javascript', css: 'text/css', html: 'text/html' } as const

const FILES = readdirSync(new URL('browser', import.meta.url))

/** The app may frame the pages under either loopback name. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  'img-src data:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'self' http://localhost:* http://127.0.0.1:*",
].join('; ')

export function createStripePages(newCall: () => Call): Hono {
  const app = new Hono()

  for (const file of FILES) {
    const type = TYPES[file.split('.').at(-1) as keyof typeof TYPES]
    app.get(`/${file.replace('.html', '')}`, async (c) =>
      c.body(await readFile(new URL(`browser/${file}`, import.meta.url), 'utf8'), 200, {
        'content-type': `${type}; charset=utf-8`,
        'cache-control': 'no-cache',
        'cross-origin-resource-policy': 'cross-origin',
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'no-referrer',
        ...(type === 'text/html' && { 'content-security-policy': POLICY }),
      }),
    )
  }

  app.get('/3ds/:source', (c) => {
    const call = newCall()
    const match = findChallenge(call.state, c.req.param('source'))
    if (!match) return c.json({ error: 'unknown' }, 404)
    const { authentication, intent } = match
    return c.json({
      amount: intent.amount,
      currency: intent.currency,
      last4: call.state.paymentMethods.get(authentication.paymentMethod)?.card.last4 ?? null,
      pending: findPendingAuthentication(call, intent)?.id === authentication.id,
    })
  })

  app.post('/3ds/:source', async (c) => {
    const call = newCall()
    const match = findChallenge(call.state, c.req.param('source'))
    if (!match) return c.json({ error: 'unknown' }, 404)
    const answer = await c.req.text()
    if (answer !== 'complete' && answer !== 'fail') return c.json({ error: 'unknown answer' }, 400)
    answerAuthentication(call, match.authentication, answer === 'complete')
    return c.json({
      status: match.intent.status,
      returnUrl:
        match.authentication.returnUrl && buildReturnUrl(match.authentication.returnUrl, match.intent),
    })
  })

  return app
}

function findChallenge({ authentications, paymentIntents }: StripeState, source: string) {
  const authentication = authentications.get(source)
  const intent = paymentIntents.get(authentication?.paymentIntent ?? '')
  return authentication && intent ? { authentication, intent } : null
}

const REDIRECT_STATUS: Partial<Record<PaymentIntent['status'], string>> = {
  succeeded: 'succeeded',
  processing: 'pending',
}

function buildReturnUrl(base: string, intent: PaymentIntent): string {
  const url = new URL(base)
  url.searchParams.set('payment_intent', intent.id)
  url.searchParams.set('payment_intent_client_secret', intent.client_secret)
  url.searchParams.set('redirect_status', REDIRECT_STATUS[intent.status] ?? 'failed')
  return url.href
}
