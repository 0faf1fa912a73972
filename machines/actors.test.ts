import { expect, test } from 'vitest'
import type { AnyActorRef } from 'xstate'
import { err, ok } from '../domain/result.ts'
import { granted, inPlace, refusalIn, unprovided, unprovidedAction, unprovidedAnswer } from './actors.ts'

test('what a state takes for granted is there, or nothing goes on', () => {
  expect([inPlace(''), inPlace(0), granted(ok(7)), refusalIn(err('late'))]).toEqual(['', 0, 7, 'late'])
  expect(() => inPlace(null)).toThrow('without what it needs')
  expect(() => granted(err('late'))).toThrow('without what it needs')
  expect(() => refusalIn(ok(7))).toThrow('without what it needs')
})

test('what nobody provided is an error, and no answer', async () => {
  const scope = { self: { src: 'signOut' } as AnyActorRef }
  expect(() => unprovided(scope)).toThrow('signOut must be provided')
  await expect(unprovidedAnswer(scope)).rejects.toThrow('signOut must be provided')
  expect(unprovidedAction).toThrow('must be provided')
})
