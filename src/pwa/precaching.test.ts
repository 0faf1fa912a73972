import { describe, expect, test } from 'vitest'
import { APP_ADDRESS_PATTERN, isCacheable } from './precaching.ts'

test.each([
  '/',
  '/?transaction=pi_1',
  '/index.html',
  '/settings',
  '/settings?session_id=cs_1',
  '/payment-complete?payment_intent=pi_1',
])('the service worker serves the app for %s', (address) => {
  expect(APP_ADDRESS_PATTERN.test(address)).toBe(true)
})

test.each([
  '/indexxhtml',
  '/settings/x',
  '/t/pi_1.x.y',
  '/google-sign-in.html',
  '/.netlify/functions/due-work',
])('the service worker leaves %s to the server', (address) => {
  expect(APP_ADDRESS_PATTERN.test(address)).toBe(false)
})

describe('the service worker', () => {
  const respond = (type: string | null, status = 200) =>
    new Response(null, { status, headers: type === null ? {} : { 'content-type': type } })
  const at = (path: string) => `https://passerelle.example${path}`

  test.each([
    ['/assets/app-1.js', 'text/javascript'],
    ['/index.html?__WB_REVISION__=1', 'text/html; charset=utf-8'],
    ['/icon.svg', null],
  ])('the service worker stores %s', (path, type) => {
    expect(isCacheable(at(path), respond(type))).toBe(true)
  })

  test.each([
    ['a page in the place of a script', '/assets/app-1.js', 'text/html; charset=utf-8', 200],
    ['a script in the place of a page', '/index.html', 'text/javascript', 200],
    ['a missing file', '/assets/app-1.js', 'text/plain', 404],
    ['a failing server', '/index.html', 'text/html', 500],
  ])('the service worker does not store %s', (_, path, type, status) => {
    expect(isCacheable(at(path), respond(type, status))).toBe(false)
  })
})
