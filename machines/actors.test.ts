import { expect, test } from 'vitest'
import type { AnyActorRef } from 'xstate'
import { err, ok } from '../domain/common/result.ts'
import {
  assertDefined,
  rejectUnprovided,
  throwUnprovided,
  throwUnprovidedAction,
  unwrapOk,
  unwrapRefusal,
} from './actors.ts'

test('assertDefined, unwrapOk and unwrapRefusal throw if their value is missing', () => {
  expect([assertDefined(''), assertDefined(0), unwrapOk(ok(7)), unwrapRefusal(err('late'))]).toEqual([
    '',
    0,
    7,
    'late',
  ])
  expect(() => assertDefined(null)).toThrow('lacks a value')
  expect(() => unwrapOk(err('late'))).toThrow('lacks a value')
  expect(() => unwrapRefusal(ok(7))).toThrow('lacks a value')
})

test('an actor or action that was not provided throws', async () => {
  const scope = { self: { src: 'signOut' } as AnyActorRef }
  expect(() => throwUnprovided(scope)).toThrow("The actor 'signOut' is not implemented")
  await expect(rejectUnprovided(scope)).rejects.toThrow("The actor 'signOut' is not implemented")
  expect(throwUnprovidedAction).toThrow('is not implemented')
})
