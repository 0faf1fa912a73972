import { readFile } from 'node:fs/promises'
import { Hono } from 'hono'
import { cors } from 'hono/cors'
import * as v from 'valibot'
import type { Clock } from '../emulator.ts'
import { type CaptchaProblem, createSecret } from '../emulator.ts'

const VALID_MS = 2 * 60_000

export type RecaptchaEmulator = ReturnType<typeof createRecaptchaEmulator>

const nextOutcome = v.strictObject({ outcome: v.picklist(['expired', 'error']) })

export function createRecaptchaEmulator({ clock }: { readonly clock: Clock }) {
  let tokens = new Map<string, { issuedAt: number; used: boolean }>()
  let outcomes: ('expired' | 'error')[] = []
  const app = new Hono()

  app.use('/sandbox/recaptcha/*', cors({ origin: (origin) => origin }))
  app.get('/sandbox/recaptcha.js', async (c) =>
    c.body(await readFile(new URL('recaptcha.js', import.meta.url), 'utf8'), 200, {
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': 'no-cache',
      'cross-origin-resource-policy': 'cross-origin',
    }),
  )
  app.post('/sandbox/recaptcha/token', (c) => {
    const outcome = outcomes.shift()
    if (outcome === 'error') return c.json({ error: 'A fault of the sandbox' }, 503)
    if (outcome === 'expired') return c.json({ token: null, expired: true })
    const token = createSecret()
    tokens.set(token, { issuedAt: clock.now(), used: false })
    return c.json({ token })
  })
  app.post('/sandbox/recaptcha/next', async (c) => {
    const { success, output } = v.safeParse(nextOutcome, await c.req.json().catch(() => undefined))
    if (!success) return c.json({ error: 'Send {"outcome": "expired" or "error"}' }, 400)
    outcomes.push(output.outcome)
    return c.body(null, 204)
  })

  return {
    app,
    reset: () => {
      tokens = new Map()
      outcomes = []
    },
    /** A token is valid once and for two minutes. Returns the problem, or null. */
    redeem: (token: string): CaptchaProblem | null => {
      const issued = tokens.get(token)
      if (!issued) return 'MALFORMED'
      if (issued.used) return 'DUPE'
      issued.used = true
      return clock.now() - issued.issuedAt > VALID_MS ? 'EXPIRED' : null
    },
  }
}
