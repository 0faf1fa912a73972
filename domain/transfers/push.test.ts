import fc from 'fast-check'
import * as v from 'valibot'
import { expect, test } from 'vitest'
import { money, SOURCE_CURRENCIES } from '../money/money.ts'
import { DELIVERY_STAGES, type DeliveryStage } from './deliverySchema.ts'
import {
  choosePushKind,
  getLastPhoneDigits,
  isPushEndpoint,
  PUBLIC_KEY_PATTERN,
  PUSH_KINDS,
  pushSchema,
  serializePush,
} from './push.ts'

test.each<readonly [DeliveryStage, DeliveryStage, string | null]>([
  ['ordered', 'handedOver', null],
  ['handedOver', 'delivered', 'delivered'],
  ['ordered', 'delivered', 'delivered'],
  ['ordered', 'failed', null],
  ['failed', 'paidBack', 'paidBack'],
  // A completed refund has failed, and must be repeated.
  ['paidBack', 'failed', null],
  ['canceled', 'paidBack', null],
])('notifies about a delivery that changes from %s to %s: %j', (before, stage, kind) => {
  expect(choosePushKind(before, stage)).toBe(kind)
})

test('sends no notification about an unchanged delivery', () => {
  for (const stage of DELIVERY_STAGES) expect(choosePushKind(stage, stage)).toBe(null)
})

const messages = fc.record({
  kind: fc.constantFrom(...PUSH_KINDS),
  id: fc.string(),
  gross: fc
    .record({ minor: fc.integer({ min: 1, max: 50_000 }), currency: fc.constantFrom(...SOURCE_CURRENCIES) })
    .map(({ minor, currency }) => money(minor, currency)),
  phoneEnd: fc.string(),
  language: fc.constantFrom('fr' as const, 'en' as const),
})

test('parsing a serialized push message returns the same message', () => {
  fc.assert(
    fc.property(messages, (message) => {
      expect(v.parse(pushSchema, JSON.parse(serializePush(message)))).toEqual(message)
    }),
  )
})

test('rejects every push payload of another shape', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      expect(v.is(pushSchema, value)).toBe(false)
    }),
  )
})

test('a push message shows only the end of a number', () => {
  expect(getLastPhoneDigits('+224620000012')).toBe('12')
})

test.each([
  'https://fcm.googleapis.com/fcm/send/x:y',
  'https://updates.push.services.mozilla.com/wpush/v2/x',
  'https://web.push.apple.com/x',
  'https://wns2-par02p.notify.windows.com/w/?token=x',
])('accepts the push endpoint %s', (endpoint) => {
  expect(isPushEndpoint(endpoint, null)).toBe(true)
})

test.each([
  'http://fcm.googleapis.com/fcm/send/x',
  'https://fcm.googleapis.com.evil.example/fcm/send/x',
  'https://evilfcm.googleapis.com/fcm/send/x',
  'https://evil.example/fcm.googleapis.com',
  'https://fcm.googleapis.com:8443/fcm/send/x',
  'https://user@fcm.googleapis.com/fcm/send/x',
  'https://:secret@fcm.googleapis.com/fcm/send/x',
  'https://fcm.googleapis.com@evil.example/x',
  'https://notify.windows.com/x',
  'https://a.b.notify.windows.com/x',
  'https://a.notify.windows.com.evil.example/x',
  'http://169.254.169.254/latest/meta-data',
  'http://localhost:1/push/send/x',
  'file:///etc/passwd',
  'javascript:0',
  'no address',
  '',
])('refuses the push endpoint %j', (endpoint) => {
  expect(isPushEndpoint(endpoint, null)).toBe(false)
})

const POINT = `B${'aZ0-_9'.repeat(15).slice(0, 86)}`
test.each<readonly [string, boolean]>([
  [POINT, true],
  [POINT.slice(1), false],
  [POINT.slice(0, -1), false],
  [`${POINT}a`, false],
  [`a${POINT}`, false],
  [POINT.replace('Z', '+'), false],
])('the public push key %s is valid: %j', (text, isKey) => {
  expect(PUBLIC_KEY_PATTERN.test(text)).toBe(isKey)
})

const OWN = 'http://localhost:5173'
test.each<readonly [string, boolean]>([
  ['http://localhost:5173/push/send/1', true],
  ['http://localhost:5174/push/send/1', false],
  ['http://localhost:5173@evil.example/push/send/1', false],
  ['https://fcm.googleapis.com/fcm/send/1', true],
])('allows push endpoints of the given origin too: %s: %j', (endpoint, isGood) => {
  expect(isPushEndpoint(endpoint, OWN)).toBe(isGood)
})
