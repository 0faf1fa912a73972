import fc from 'fast-check'
import { expect, test } from 'vitest'
import { DELIVERY_STAGES, type DeliveryStage } from './delivery.ts'
import { money, SOURCE_CURRENCIES } from './money.ts'
import { isPushEndpoint, PUSH_KINDS, phoneEndOf, pushFor, readPush, writePush } from './push.ts'
import { Misfit } from './read.ts'

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
      expect(() => readPush(value)).toThrow(Misfit)
    }),
  )
})

test('of a number its end is told', () => {
  expect(phoneEndOf('+224620000012')).toBe('12')
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
