import { expect, test } from 'vitest'
import { createActor } from 'xstate'
import { err, ok } from '../domain/result.ts'
import { granted, inPlace, refusalIn, unprovided } from './actors.ts'
import { bootMachine } from './boot.ts'

test('what a state takes for granted is there, or nothing goes on', () => {
  expect([inPlace(''), inPlace(0), granted(ok(7)), refusalIn(err('late'))]).toEqual(['', 0, 7, 'late'])
  expect(() => inPlace(null)).toThrow('without what it needs')
  expect(() => granted(err('late'))).toThrow('without what it needs')
  expect(() => refusalIn(ok(7))).toThrow('without what it needs')
})

test('an actor that nobody provided is an error, and no answer', () => {
  expect(() => unprovided('signOut')).toThrow('signOut must be provided')
  const boot = createActor(bootMachine).start()
  expect(boot.getSnapshot().value).toBe('authError')
})
