import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createPaymentIntent } from '../../netlify/server/endpoints/createPaymentIntent.ts'
import { pausePaying } from '../../netlify/server/operations/pauses.ts'
import { createWorld, requestOf, type World } from '../../netlify/testing/world.ts'
import { people } from './people.ts'

let world: World
beforeAll(async () => {
  world = await createWorld()
})
beforeEach(() => world.reset())
afterAll(() => world.close())

test('a person is stopped, shown and let go on', async () => {
  const uid = await world.person()
  const who = `${uid} has an account and a profile.`
  expect(await people(world.context, 'show', uid)).toEqual([who, 'Nothing pauses their payments.'])
  await pausePaying(world.context, uid, 'du_1')
  expect(await people(world.context, 'stop', uid)).toEqual([
    who,
    'Paying is paused since 2026-11-20T12:00:00.000Z, under 2 of their names: the dispute du_1, an operator.',
  ])
  expect(await createPaymentIntent(world.context, { uid }, requestOf(uid))).toMatchObject({
    error: { code: 'paymentsPaused' },
  })
  expect(await people(world.context, 'resume', uid)).toEqual([
    who,
    'Nothing pauses their payments.',
    'Lifted: the dispute du_1, an operator.',
  ])
  expect(await createPaymentIntent(world.context, { uid }, requestOf(uid))).toMatchObject({ ok: true })
})

test('whom nobody knows is not stopped by mistake', async () => {
  expect(await people(world.context, 'stop', 'nobody')).toEqual([
    'Nobody knows nobody: see that the id is whole.',
  ])
  expect(Object.keys(world.sandbox.firestore.documents())).toEqual([])
})
