import fc from 'fast-check'
import { expect, test } from 'vitest'
import { money, SOURCE_CURRENCIES } from './money.ts'
import { isPushEndpoint, PUBLIC_KEY, PUSH_KINDS, phoneEndOf, pushFor, readPush, writePush } from './push.ts'
import { ValidationError } from './schema.ts'
import { DELIVERY_STAGES, type DeliveryStage } from './schemas/delivery.ts'

test.each<readonly [DeliveryStage, DeliveryStage, string | null]>([
  ['ordered', 'handedOver', null],
  ['handedOver', 'delivered', 'delivered'],
  ['ordered', 'delivered', 'delivered'],
  ['ordered', 'failed', null],
  ['failed', 'paidBack', 'paidBack'],
  // A refund that was done has failed since, and was done again.
  ['paidBack', 'failed', null],
])('from %s to %s %j is pushed', (before, stage, kind) => {
  expect(pushFor(before, stage)).toBe(kind)
})

test('nothing is pushed where nothing changes', () => {
  for (const stage of DELIVERY_STAGES) expect(pushFor(stage, stage)).toBe(null)
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

test('a message arrives as it was written', () => {
  fc.assert(
    fc.property(messages, (message) => {
      expect(readPush(JSON.parse(writePush(message)))).toEqual(message)
    }),
  )
})

test('whatever else arrives is no message', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      expect(() => readPush(value)).toThrow(ValidationError)
    }),
  )
})

test('of a number its end is told', () => {
  expect(phoneEndOf('+224620000012')).toBe('12')
})

test.each([
  'https://fcm.googleapis.com/fcm/send/x:y',
  'https://updates.push.services.mozilla.com/wpush/v2/x',
  'https://web.push.apple.com/x',
  'https://wns2-par02p.notify.windows.com/w/?token=x',
])('a message may be sent to %s', (endpoint) => {
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
])('nothing is sent to %j', (endpoint) => {
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
])('%s is a public key: %j', (text, isKey) => {
  expect(PUBLIC_KEY.test(text)).toBe(isKey)
})

const OWN = 'http://localhost:5173'
test.each<readonly [string, boolean]>([
  ['http://localhost:5173/push/send/1', true],
  ['http://localhost:5174/push/send/1', false],
  ['http://localhost:5173@evil.example/push/send/1', false],
  ['https://fcm.googleapis.com/fcm/send/1', true],
])('beside the services of the browsers there may be one more: %s is good: %j', (endpoint, isGood) => {
  expect(isPushEndpoint(endpoint, OWN)).toBe(isGood)
})
