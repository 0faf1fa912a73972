import { expect, test } from 'vitest'
import { precache } from './precache.ts'

test.each([
  ['/', true],
  ['/?transaction=pi_1', true],
  ['/index.html', true],
  ['/settings', true],
  ['/settings?session_id=cs_1', true],
  ['/payment-complete?payment_intent=pi_1', true],
  ['/indexxhtml', false],
  ['/settings/x', false],
  ['/t/pi_1.x.y', false],
  ['/google-sign-in.html', false],
  ['/.netlify/functions/sweep', false],
])('a worker answers for the address %s with the app: %j', (address, isSo) => {
  const allowed = precache.navigateFallbackAllowlist?.some((pattern) => pattern.test(address))
  expect(allowed).toBe(isSo)
})
